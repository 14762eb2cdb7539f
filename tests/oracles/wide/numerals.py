"""Numbers at the edges: exact, huge, printed, in functions."""
from rng import R

def lit():
    return R.choice(['0','1','7','0.1','0.2','1e3','1e20','1e21','1e22','1e23','1.5e-7','1e-5','1e-7','123456789012345678','9007199254740993','18446744073709551615','18446744073709551616','-9223372036854775808','-9223372036854775809','9223372036854775807','9223372036854775808','(1/3)','(2/3)','(22/7)','(-1/3)','1e300','1e308','1.8e308','1e-300','5e-324','1e-400','0xff','0b101','0o17','1_000','0.1e1','100.0','1.10','123.456','0x1F','4.9406564584124654e-324','0.30000000000000004','1e15','1e16','1e17','123456789.123456789','0.000001','0.0000001','(1/7)','(10/3)','1E5','1e+5','.5','5.','00','01','1.2.3','1e','0x','1__0','0xFFFFFFFFFFFFFFFFFFFF','1e0','-0','-0.0','2.5','-2.5','3.5'])
def num(d):
    k=R.random()
    if d==0 or k<.3: return lit()
    if k<.7: return '('+num(d-1)+R.choice([' + ',' - ',' * ',' / ',' % '])+num(d-1)+')'
    if k<.8: return '(std.number.'+R.choice(['floor','ceil','truncate','fract','abs','sqrt','exp','sin','cos','tan','arcsin','arccos','arctan'])+' '+arg(d-1)+')'
    if k<.95: return '(std.number.'+R.choice(['pow','log','min','max','arctan2'])+' '+arg(d-1)+' '+arg(d-1)+')'
    return R.choice(['(std.string.to_number "%s")','(std.to_number "%s")'])%lit().strip('()')
def arg(d):
    x=num(d)
    return '('+x+')' if x.startswith('-') else x
def item():
    e=num(R.randint(0,3)); c=R.random()
    if c<.45: p=e; 
    elif c<.6: p='std.to_string '+arg(2)
    elif c<.65: p='"%{std.to_string '+arg(1)+'}"'
    elif c<.7: p='"%{'+arg(1)+'}"'
    elif c<.75: p='[%s, %s == %s, %s < %s]'%(e,num(1),num(1),num(1),num(1))
    elif c<.85: p='std.serialize \'%s {a = %s}'%(R.choice(['Json','Yaml','Toml']),e)
    elif c<.9: p='(%s) | %s'%(e,R.choice(['std.number.Integer','std.number.Nat','std.number.PosNat','std.number.NonZero','Number']))
    else: p='std.number.%s (%s)'%(R.choice(['is_integer','to_string','compare 1','from_string','floor']),e)
    f=R.choice(['json','json','yaml','toml','text'])
    if f=='toml' : p='{x = %s, y = [%s]}'%(p,p)
    if f=='text': p='std.to_string (%s)'%p
    return p, f
