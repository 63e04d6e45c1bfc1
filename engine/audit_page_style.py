"""Style sheet, script and colours of the audit page."""

from __future__ import annotations

_PLAYER_COLORS = ("#1f5fa8", "#b3470c", "#1d7a45", "#8a2f8f", "#8f6b00", "#a31d37", "#006f7d", "#555a66")


def player_color(seat: int) -> str:
    """Return a player's colour in the chart, by seat."""
    return _PLAYER_COLORS[seat % len(_PLAYER_COLORS)]


STYLE = """
:root{color-scheme:light}
body{margin:0;background:#fff;color:#1b1b1f;font:16px/1.45 system-ui,'DejaVu Sans',Verdana,Arial,sans-serif}
main{max-width:80rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;margin:.2rem 0 .6rem}
h2{font-size:1.25rem;margin:2rem 0 .5rem;border-bottom:2px solid #d5d5dc;padding-bottom:.2rem}
h3{font-size:1rem;margin:0;display:inline}
table{border-collapse:collapse;min-width:100%}
caption{text-align:left;font-weight:600;padding:.3rem 0}
th,td{padding:.3rem .7rem;border-bottom:1px solid #d5d5dc;text-align:left;white-space:nowrap}
thead th{background:#f1f1f5}
.n{text-align:right;font-variant-numeric:tabular-nums}
.lost td:last-child{background:#fdeceb;font-weight:600}
a{color:#0b4ea2}
.scroll{overflow-x:auto}
.chip{display:inline-block;min-width:2.6rem;padding:0 .4rem;border-radius:.7rem;text-align:center;
font-weight:600}
.swatch{display:inline-block;width:1.1rem;height:.75rem;border-radius:.2rem;margin-right:.4rem}
figure{margin:1rem 0}
figcaption{font-size:.95rem}
.chart{display:block}
.chart .grid{stroke:#c9c9d2;stroke-width:1}
.chart .axis{font:12px system-ui,sans-serif;fill:#33333a}
.chart .mid{text-anchor:middle}
.chart .end{text-anchor:end}
details{margin:1rem 0;border:1px solid #d5d5dc;border-radius:.4rem;padding:.5rem .8rem;
content-visibility:auto;contain-intrinsic-size:auto 34rem}
summary{cursor:pointer}
.pair{display:flex;flex-wrap:wrap;gap:1rem;align-items:flex-start}
.picture{flex:1 1 20rem;min-width:0;margin:.5rem 0}
.picture svg{display:block;width:100%;height:auto;max-height:44rem}
.routes{margin:.3rem 0 .6rem;padding:0;list-style:none}
.routes li{margin:.15rem 0}
.hot .route{stroke-width:12px!important}
.cool{opacity:.25}
:focus-visible{outline:3px solid #0b4ea2;outline-offset:2px}
@media (max-width:40rem){main{padding:.6rem}th,td{padding:.3rem .45rem}details{padding:.4rem}}
@media print{.tools{display:none}}
""".replace("\n", "")

SCRIPT = """
(function(){var all=function(at,what,act){at.querySelectorAll(what).forEach(act)};
all(document,'.tools',function(p){p.hidden=false;p.addEventListener('click',function(e){
var how=e.target.dataset.fold;if(how)all(document,'details',function(d){d.open=how==='open'})})});
addEventListener('hashchange',function(){var d=document.getElementById(location.hash.slice(1));
if(d&&d.tagName==='DETAILS')d.open=true});
all(document,'.picture',function(f){all(f,'.routes li',function(li){
function mark(on){all(f,'.line',function(g){var own=g.dataset.train===li.dataset.train;
g.classList.toggle('hot',on&&own);g.classList.toggle('cool',on&&!own)})}
li.addEventListener('mouseenter',function(){mark(true)});
li.addEventListener('mouseleave',function(){mark(false)})})})})();
""".replace("\n", "")
