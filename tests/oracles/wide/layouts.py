"""What YAML, TOML and JSON make of strings, keys, numbers and nesting."""
from rng import R

S=['','a','true','null','~','yes','no','on','off','1','1.5','0x1F','1e3','-','- a','? a','a: b','a:',':a','#a','a #b','[a','{a','"q"',"'q'","it's",'a"b','\\','a\\b','multi\nline','multi\nline\n','multi\nline\n\n','\nlead','\n','\n\n',' lead','trail ','  indented\nline','a\n  b\n c','tab\tx','\t','\ttab\nx','a\n\tb','cr\r\nx','cr\rx','é','日本','😀','\x01','\x7f','\x85','nul\x00','*a','&a','!a','%a','@a','`a','|','>','a|b','=','<<','2001-01-01','2001-01-01T00:00:00Z','12:30','.inf','.nan','-.5','+1','0o17','0b1','017','1_000','.','...','---','--- a','a,b','a]b','a b c','x'*90,' '.join(['word']*30),'line one '*12+'\n'+'x','trail \nx','a\n ','a \n','\x1b[0m','"""',"'''",'"""\n','a"""b\n','\u00a0','$x','NULL','True','FALSE','Null','nUll','y','n','Y','N','1.','.5','1e','e1','1e+3','0','00','-0','+','++','0x','0xg','a\x0bb','\u200b','key with space','a.b','a-b','a_b','A1','1a','é.x','a"b.c','"','\'','a\n\nb','a\n\n\nb\n\n','  \n a','-\n','#\n','a:\nb','[\n','\n a']
def q(s):
    o='"'
    for c in s:
        if c=='"': o+='\\"'
        elif c=='\\': o+='\\\\'
        elif c=='\n': o+='\\n'
        elif c=='\t': o+='\\t'
        elif c=='\r': o+='\\r'
        elif ord(c)<32 or c in '\x7f\x85\u200b': o+='\\u{%x}'%ord(c)
        else: o+=c
    return o+'"'
def num(): return R.choice(['0','1','-1','0.5','1e20','1e21','1e100','(1/3)','123456789012345678901','-0.001','1e-7','1e16','1.0','100','2.50','9223372036854775807','9223372036854775808','18446744073709551615','18446744073709551616','-9223372036854775808','1e-10','123.456e5','1e15','1e17','0.1','4294967296'])
def st(): return R.choice(S) if R.random()<.8 else R.choice(S)+R.choice(S)
def val(d,nulls=True,top=False):
    k=R.random()
    if top: k=.6+k*.4
    if d==0 or k<.55:
        k=R.random()
        if k<.55: return q(st())
        if k<.75: return num()
        if k<.83: return R.choice(['true','false'])
        if k<.88: return 'null' if nulls else '1'
        if k<.94: return "'"+q(st())
        return R.choice(['[]','{}','[[]]','[{}]','{a={}}','[[],[]]','{a=[]}','[{a={}}]'])
    if k<.75 and not top: return '['+', '.join(val(d-1,nulls) for _ in range(R.randint(0,3)))+']'
    if k<.8 and not top:
        ks=[q(st()) for _ in range(2)]
        return '['+', '.join('{'+', '.join('%s = %s'%(k,val(d-1,nulls)) for k in dict.fromkeys(ks))+'}' for _ in range(R.randint(1,3)))+']'
    ks=dict.fromkeys(q(st()) if R.random()<.5 else q(R.choice('abcdefgh')) for _ in range(R.randint(0,5)))
    return '{'+', '.join('%s = %s'%(k,val(d-1,nulls)) for k in ks)+'}'
def item():
    f=R.choice(['json','yaml','yaml','toml','toml'])
    c=R.random(); v=val(R.randint(0,4),f!='toml' or R.random()<.05, f=='toml' and R.random()<.9)
    if c<.1: v="std.serialize '%s %s"%(f.capitalize(),v if not v.startswith(('-',"'")) else '('+v+')'); f='json'
    elif c<.2: v="std.serialize '%s %s |> std.deserialize '%s"%(f.capitalize(),v if not v.startswith(('-',"'")) else '('+v+')',f.capitalize()); f='json'
    return v, f
