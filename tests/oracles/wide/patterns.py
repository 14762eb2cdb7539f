"""Patterns: nested, with defaults, rests, guards, contracts, and values made to fit them."""
from rng import R

C=[0]
def nm():
    C[0]+=1; return R.choice('abcdxyz')+(str(C[0]) if R.random()<.8 else '')
F=['a','b','c','"d e"']
def val(d):
    k=R.random()
    if d==0 or k<.35: return R.choice(['1','2','-1','"s"','"t"','true','false','null',"'A","'B",'0.5','[]','{}',"'\"q r\"",'(1+1)'])
    if k<.6: return '{'+', '.join(f+' = '+val(d-1) for f in R.sample(F,R.randint(0,3)))+'}'
    if k<.8: return '['+', '.join(val(d-1) for _ in range(R.randint(0,3)))+']'
    return "("+R.choice(["'A ","'B ","'C "])+par(val(d-1))+")"
def par(s): return '('+s+')' if (s[0] in "-'" ) else s
def pat(d,names):
    k=R.random()
    def bind():
        x=nm(); names.append(x); return x
    if d==0 or k<.3:
        return R.choice([bind,bind,bind,lambda:'_',lambda:R.choice(['1','-1','2','"s"','"t"','true','false','null',"'A","'B",'0.5',"'\"q r\"",'[]','{}','{..}'])])()
    if k<.55:
        out=[]
        for f in R.sample(F,R.randint(0,3)):
            q=R.random()
            f2=f.strip('"').split(' ')[0]
            if q<.35: names.append(f2); s=f2
            elif q<.5: names.append(f2); s=f2+' ? '+val(1)
            else: 
                s=f2+R.choice(['',''," | Number"," | Dyn"," | String", " | default"])+R.choice(['',' ? '+val(1)])+' = '+pat(d-1,names)
            out.append(s)
        k2=R.random()
        if k2<.4: out.append('..')
        elif k2<.55: x=nm(); names.append(x); out.append('..'+x)
        return '{'+', '.join(out)+'}'
    if k<.72:
        out=[pat(d-1,names) for _ in range(R.randint(0,3))]
        k2=R.random()
        if k2<.35: out.append('..')
        elif k2<.55: x=nm(); names.append(x); out.append('..'+x)
        if k2>.97: out.insert(0,'..')
        return '['+', '.join(out)+']'
    if k<.86:
        p=pat(d-1,names)
        if p[0] not in '{[' and (' or ' in p or p[0]=="'" and ' ' in p): p='('+p+')'
        return R.choice(["'A ","'B ","'C "])+p
    if k<.94:
        a=[]; p=pat(d-1,names)
        q=pat(d-1,a) if R.random()<.4 else p.replace('1','2').replace("'A","'B")
        s=p+' or '+q
        return '('+s+')'
    p=pat(d-1,names)
    if p[0] not in '{[': return p
    x=nm(); names.append(x)
    return x+' @ '+p
def body(names):
    ns=[x for x in dict.fromkeys(names) if R.random()<.9]
    return '['+', '.join(ns+['1'])+']'
def prog():
    k=R.random(); d=R.randint(1,3)
    names=[]
    if k<.2:
        p=pat(d,names); return 'let '+p+' = '+val(d)+' in '+body(names)
    if k<.3:
        p=pat(d,names); return '(fun '+p+' => '+body(names)+') '+par(val(d))
    if k<.34:
        p=pat(1,names);q=pat(1,names); return '(fun '+p+' '+q+' => '+body(names)+') '+par(val(1))+' '+par(val(1))
    if k<.37:
        p=pat(1,names);q=pat(1,names); return 'let rec '+p+' = '+val(1)+', '+q+' = '+R.choice(names or ['1'])+' in '+body(names)
    arms=[]
    for _ in range(R.randint(1,4)):
        names=[]
        p=pat(d,names)
        g=''
        if R.random()<.25: g=' if '+R.choice(['true','false',(R.choice(names or ['1']))+' == '+val(0),'std.is_number '+(R.choice(names or ['1']))])
        arms.append(p+g+' => '+R.choice([body(names),body(names),'"arm%d"'%len(arms)]))
    if R.random()<.5: arms.append('_ => "none"')
    v=val(d)
    return par(v)+' |> match {'+', '.join(arms)+R.choice(['',','])+'}'
def fit():
    # a value and a pattern made together
    def both(d,names):
        k=R.random()
        if d==0 or k<.25:
            v=val(0) if R.random()<.8 else val(1)
            c=R.random()
            if c<.6:
                x=nm(); names.append(x); return v,x
            if c<.8: return v,'_'
            return v,v if v not in('(1+1)',) else '2'
        if k<.55:
            vs=[];ps=[]
            for f in R.sample(['a','b','c'],R.randint(0,3)):
                v,p=both(d-1,names); vs.append(f+' = '+v)
                c=R.random()
                if c<.2: ps.append(f); names.append(f)
                elif c<.3: ps.append(f+' ? '+val(0)); names.append(f)
                elif c<.35: ps.append(f+R.choice([' | Dyn',' | Number',' | String'])+' = '+p)
                elif c<.4: ps.append('zz%d ? 3 = '%len(names)+pat(0,names))
                elif c<.9: ps.append(f+' = '+p)
            r=R.random()
            if r<.4: ps.append('..')
            elif r<.6: x=nm(); names.append(x); ps.append('..'+x)
            return '{'+', '.join(vs)+'}','{'+', '.join(ps)+'}'
        if k<.75:
            l=[both(d-1,names) for _ in range(R.randint(0,3))]
            ps=[p for _,p in l]
            if R.random()<.4 :
                ps=ps[:R.randint(0,len(ps))]
                if R.random()<.5: ps.append('..')
                else: x=nm(); names.append(x); ps.append('..'+x)
            return '['+', '.join(v for v,_ in l)+']','['+', '.join(ps)+']'
        if k<.9:
            v,p=both(d-1,names); t=R.choice(["'A ","'B "])
            return '('+t+par(v)+')', '('+t+p+')'
        v,p=both(d-1,names)
        if p[0] not in '{[': return v,p
        x=nm(); names.append(x)
        return v,x+' @ '+p
    names=[]
    v,p=both(R.randint(1,3),names)
    k=R.random()
    b=body(names)
    if k<.3: return 'let '+p+' = '+v+' in '+b
    if k<.5: return '(fun '+p+' => '+b+') '+par(v)
    if k<.6: return 'std.array.map (fun '+p+' => '+b+') ['+v+', '+v+']'
    return par(v)+' |> match {'+(pat(2,[])+' => 0, ' if R.random()<.5 else '')+p+R.choice(['',' if true',' if '+(R.choice(names or ['1']))+' == '+(R.choice(names or ['1'])) ])+' => '+b+R.choice(['',', _ => 9'])+'}'
def item():
    return (prog() if R.random() < .3 else fit()), 'json'
