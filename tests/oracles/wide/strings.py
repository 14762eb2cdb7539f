"""Strings: multi-line, symbolic, interpolated, escaped, Unicode."""
from rng import R

PIECES=['a','foo','bar baz','é','日本','👨‍👩‍👧','%','%%','$','{','}','"','\\','\\n','\\t','\\r','\\"','\\\\','\\%','\\u{e9}','\\u{1F600}','\\x41','\\x7f','\\u{0}','\\q','\\u{110000}','\\u{d800}','%{','%{x}','%{"q"}','%{1}','%{y}','%{m%"in"%}','%{x ++ "z"}',"'",'#','# c','\t','//','/*',' ','  ','%%{x}','%%%{x}','%"','"%','\\%{x}','%{','u','null','true','1','- ','~','yes','no',': ','a: b','[','{a}','\u00a0','\u200b','\x7f','\x1b']
def plain(): return ''.join(R.choice(PIECES) for _ in range(R.randint(0,5)))
def sane(): return ''.join(R.choice(['a','foo','é','%{x}','%{y}',' ','\\n','b','1','日','\\"','%','-',':']) for _ in range(R.randint(0,6)))
def line():
    ind=R.choice(['','  ','    ','   ','      ','\t','  \t'])
    k=R.random()
    if k<.15: return R.choice(['','  ','        ','\t'])
    return ind+''.join(R.choice(['a','foo','%{x}','%{ml}','%{y}','%%{x}','"','é',' ','\\n','%','%{x} %{ml}','if a:','"%%','%{\n  x\n }']) for _ in range(R.randint(1,3)))
def multi():
    p=R.choice(['m%','m%','m%','m%%','m%%%'])
    q=p[1:]
    nl=R.choice(['\n','\n','\n','\r\n'])
    body=nl.join(line() for _ in range(R.randint(1,5)))
    if len(q)>1: body=body.replace('%{','%%{' if R.random()<.7 else '%{')
    st=R.choice([nl,nl,nl,'','  ',nl+nl]); en=R.choice([nl+'  ',nl,nl+'    ','',' ',nl+'\t',nl+nl])
    return p+'"'+st+body+en+'"'+q
def s():
    k=R.random()
    if k<.35: return multi()
    if k<.75: return '"'+sane()+'"'
    return '"'+plain()+'"'
def prog():
    k=R.random()
    if k<.35: return s()
    if k<.5: return s()+' ++ '+s()
    if k<.6: return '[%s, %s]'%(s(),s())
    if k<.7: return '{a = %s, "b c" = {d = %s}}'%(s(),s())
    if k<.74: return '%s == %s'%(s(),s())
    if k<.78: return "std.serialize '%s {a = %s}"%(R.choice(['Json','Yaml','Toml']),s())
    if k<.82: return "std.deserialize 'Json (std.serialize 'Json {a = %s})"%s()
    if k<.86: return 'std.string.%s (%s)'%(R.choice(['length','characters','uppercase','lowercase','trim','to_string','codepoint' ,'from']),s())
    if k<.9: return '{%s = 1}'%('"'+sane()+'"')
    if k<.93: return '{"%s" = 1, b = 2}'%plain()
    if k<.97: return 'sym-s%'+R.choice(['"','%"'])+R.choice(['a%{1}b%{x}','','%{{a=1}}','x','\n  %{x}\n  y\n ','%%{x}%{"a"}'])+'"%'
    return '%s |> match { %s => 1, _ => 2}'%(s(),s())
def item():
    f=R.choice(['json','json','yaml','yaml','toml','text','raw'][:6])
    p=prog()
    if f=='toml' and p[0]!='{': p='{v = %s}'%p
    return 'let x = "X" in let y = "Y%{x}", ml = "l1\\n  l2\\n\\nl3" in '+p,f
