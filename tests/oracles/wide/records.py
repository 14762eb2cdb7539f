"""Records: piecewise and dynamic fields, `include`, metadata, contracts, library functions on them."""
from rng import R

F=['a','b','c','d']
CON=['Number','String','Bool','Dyn','Array Number','{..}','{}','{x | Number}','{x | Number | default = 7}','{x | Number | optional, ..}','{_ | Number}','{_ : String}','[| \'A, \'B Number |]','std.number.Nat','std.string.NonEmpty','std.array.NonEmpty','(std.contract.from_predicate (fun v => v != 3))','(std.contract.from_validator (fun v => if std.is_number v then \'Ok else \'Error {message = "m"}))','(std.contract.custom (fun l v => \'Ok v))','(std.contract.custom (fun l v => if std.is_number v then \'Ok (v + 1) else \'Error {message="nan", notes=["n"]}))','(std.contract.Sequence [Dyn, Number])','(std.contract.any_of [Number, String])','(std.contract.all_of [Number, std.number.Integer])','(std.contract.not String)','(std.contract.Equal 1)','Number -> Number','(forall a. a -> a)','std.enum.Tag','(fun l v => v)','C','(if true then Number else String)','{ x : Number, y : String }','{ x, .. }','{ x | default = 1, y | optional | String, z | not_exported = 2 }']
VAL=['1','2','3','"s"','"t"','true','null','[1]','[1, "s"]','[]','{}','{x = 1}','{x = "s"}','{y = "q"}','{x = 1, z = 3}',"'A","'B 3","'C",'(fun q => q)','(fun q => "s")','std.fail_with "boom"','"%{b}"','a','b','c','d','b.x','c.x','a + 1','b + 1','(a & b)','{x | default = 5}','{x | force = 6}','{x | priority 3 = 6}','{x | optional}','{x}','undefined_field']
MODS=['default','force','optional','not_exported','priority 1','priority -1','priority 0','doc "d"','rec','priority 1.5']
def val(d):
    if d>0 and R.random()<.25: return rec(d-1)
    return R.choice(VAL[:24] if R.random()<.7 else VAL)
def ann():
    k=R.random()
    if k<.35: return ''
    out=''
    for _ in range(R.choice([1,1,1,2,3])):
        m=' | '+(R.choice(MODS[:4]) if R.random()<.45 else R.choice(MODS) if R.random()<.3 else R.choice(CON))
        P=('default','force','priority','rec')
        if m[3:].startswith(P) and any(' | '+q in out for q in P): continue
        if m[3:]=='rec' : continue
        out+=m
    return out
def fname():
    k=R.random(); f=R.choice(F)
    if k<.72: return f
    if k<.78: return '"%s"'%f
    if k<.82: return '"%%{"dyn%d"}"'%R.randint(0,10**6)
    if k<.97: return f+'.'+R.choice(['x','y','z','x.y'])
    return '"%s".x'%f
def field(d):
    k=R.random()
    if k<.04: return 'include '+R.choice(['b','k','C','[k, h]'])+R.choice(['','',' | default'])
    if k<.18: return fname()+ann()
    return fname()+ann()+' = '+val(d)
def rec(d):
    fs=[] if R.random()<.85 else ['C','k']
    fs=[field(d) for _ in range(R.choice([0,1,1,2,2,3,4]))]
    if R.random()<.06: fs.append('..')
    return '{'+', '.join(fs)+'}'
def prog():
    k=R.random()
    parts=[rec(2) for _ in range(R.choice([1,1,2,2,3]))]
    e=' & '.join(parts)
    if k<.45: p=e
    elif k<.65: p='('+e+') | '+rec(1)
    elif k<.7: p='('+e+') | '+R.choice(CON)
    elif k<.75: p='('+e+').'+R.choice(F)
    elif k<.78: p='let r | '+rec(1)+' = '+e+' in r'
    elif k<.81: p='std.record.'+R.choice(['fields','values','to_array','length','is_empty','map (fun k v => v)','map_values (fun v => v)','has_field "a"','get "a"','filter (fun k v => k != "a")','fields_with_opts','remove "a"','update "a" 5','insert "q" 6','freeze','merge_all','field_is_defined "a"','get_or "a" 9','map (fun k v => k)'])+' ('+e+')'
    elif k<.85: p='('+e+') == ('+R.choice(parts)+')'
    elif k<.88: p='std.contract.check '+R.choice(['('+rec(0)+')','Number'])+' ('+e+') |> match {\'Ok v => v, \'Error _ => "err"}' if R.random()<.5 else '[%s, %s] | Array %s'%(val(0),val(0),R.choice(CON))
    elif k<.91: p='let D = {a | optional} & '+rec(1)+' in ('+e+') | D'
    elif k<.94: p='(%s | %s) %s'%(R.choice(['fun q => q','fun q => q + 1','fun q => "s"','fun {x, ..} => x']),R.choice(['Number -> Number','String -> String','forall a. a -> a','{x | Number, ..} -> Number','(Number -> Number) -> Number','Dyn -> String','forall r. {x : Number; r} -> Number']),R.choice(['1','"s"','{x=1}','{x="s", y=2}','(fun z => z)']))
    elif k<.97: p='%s | %s | %s'%(val(1),R.choice(CON),R.choice(CON))
    else: p="std.serialize '%s (%s)"%(R.choice(['Json','Yaml','Toml']),e)
    return 'let C = std.contract.from_predicate std.is_number, k = 5, h = "hh" in '+p
def item():
    return prog(), R.choice(['json', 'json', 'json', 'yaml', 'toml'])
