"""Operators of mixed precedence without parentheses."""
from rng import R

atoms=['1','2','0','3.5','true','false','"a"','"b"','null','[1]','[2]','[]','{a = 1}','{b = 2}',"'A","'B 1",'x','f','r.a','r','(-1)','std.number.is_integer','(fun y => y)','r."a"','(&)','(+)','(.)' ]
bins=['+','-','*','/','%','==','!=','<','<=','>','>=','&&','||','&','++','@','|>','->','|',':','=>','.',' ']
def expr(d):
    k=R.random()
    if d==0 or k<.15:
        return R.choice(atoms)
    if k<.75:
        return expr(d-1)+' '+R.choice(bins[:17] if R.random()<.93 else bins)+' '+expr(d-1)
    if k<.83: return R.choice(['-','!','- ','! '])+expr(d-1)
    if k<.86: return 'if '+expr(d-1)+' then '+expr(d-1)+' else '+expr(d-1)
    if k<.89: return 'fun z => '+expr(d-1)
    if k<.92: return 'let w = '+expr(d-1)+' in '+expr(d-1)
    if k<.94: return 'f '+expr(d-1)
    if k<.96: return expr(d-1)+' |> match { _ => '+expr(d-1)+' }'
    if k<.98: return '('+expr(d-1)+')'
    return expr(d-1)+'.a'
# well-typed numeric/bool chains
def num(d):
    k=R.random()
    if d==0 or k<.2: return R.choice(['1','2','3','0.5','10','x','f 2','r.a','(1 - 2)','-1','- 2','-x'])
    if k<.85: return num(d-1)+R.choice([' + ',' - ',' * ',' / ',' % ','-','+','*',' -',' - -'])+num(d-1)
    if k<.9: return '('+num(d-1)+')'
    if k<.95: return num(d-1)+' |> f'
    return 'if '+boo(d-1)+' then '+num(d-1)+' else '+num(d-1)
def boo(d):
    k=R.random()
    if d==0: return R.choice(['true','false','!true','!false'])
    if k<.35: return num(d-1)+R.choice([' == ',' < ',' <= ',' > ',' >= ',' != '])+num(d-1)
    if k<.8: return boo(d-1)+R.choice([' && ',' || ',' == ',' != '])+boo(d-1)
    return R.choice(['!','! '])+boo(d-1)
pre='let x = 7, f = fun n => n, r = {a = 5} in '
def item():
    c=R.random()
    return pre+(expr(R.randint(1,4)) if c<.4 else num(R.randint(1,5)) if c<.7 else boo(R.randint(1,4))), 'json'
