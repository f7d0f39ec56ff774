import { Html } from './html.ts'

/** The style of a report: light or dark, as the reader's system is, and plain on paper. */
export const STYLES = new Html(`
:root { color-scheme: light dark; --ink: light-dark(#1d2330, #e4e7ee); --soft: light-dark(#5d6678, #9aa4b8); --line: light-dark(#e2e6ee, #2b3140);
  --page: light-dark(#f6f7fa, #12151c); --card: light-dark(#ffffff, #1a1e28); --good: light-dark(#12805c, #4cc79a); --bad: light-dark(#c0344a, #ff7a8c);
  --warn: light-dark(#a15c00, #f0b45a); --bar: light-dark(#e9ecf3, #2b3140); }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 68rem; padding: 2.5rem 1.5rem 4rem; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; letter-spacing: -.01em } h2 { font-size: 1rem; margin: 2rem 0 .6rem }
.soft { color: var(--soft) } .good { color: var(--good) } .bad { color: var(--bad) } .warn { color: var(--warn) }
header { display: flex; justify-content: space-between; gap: 1rem; flex-wrap: wrap; align-items: baseline }
section.eval + section.eval { margin-top: 4rem; padding-top: 2.5rem; border-top: 1px solid var(--line) }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0 }
.tile, table, details.case { background: var(--card); border: 1px solid var(--line); border-radius: 10px }
.tile { padding: .8rem 1rem } .tile b { display: block; font-size: 1.5rem; line-height: 1.3; font-variant-numeric: tabular-nums; font-weight: 650 }
.tile span { color: var(--soft); font-size: .82rem }
table { width: 100%; border-collapse: separate; border-spacing: 0; overflow: hidden; font-variant-numeric: tabular-nums }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: .82rem } th, td { padding: .55rem 1rem; border-top: 1px solid var(--line) }
thead th { border-top: 0 } .number { text-align: right; white-space: nowrap }
.bar { display: inline-block; width: 9rem; max-width: 100%; height: .5rem; border-radius: 1rem; background: var(--bar); overflow: hidden; vertical-align: .05rem }
.bar i { display: block; height: 100%; border-radius: 1rem; background: var(--good) } .bar.low i { background: var(--bad) }
details.case { margin: .5rem 0 } details.case > summary { display: grid; grid-template-columns: 5.5rem 12rem 1fr auto; gap: 1rem; padding: .65rem 1rem; cursor: pointer;
  align-items: baseline; list-style: none } summary::-webkit-details-marker { display: none }
summary:focus-visible { outline: 2px solid currentColor; outline-offset: -2px; border-radius: 10px }
summary .cut { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--soft) } summary .id { overflow-wrap: anywhere; font-weight: 600 }
.badge { font-size: .78rem; font-weight: 600 } .badge::before { content: '●'; margin-right: .4rem }
.body { padding: .25rem 1rem 1rem; border-top: 1px solid var(--line) } dl { display: grid; grid-template-columns: 10rem 1fr; gap: .35rem 1rem; margin: .75rem 0 }
dt { color: var(--soft) } dd { margin: 0; min-width: 0 } pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace }
.trial { border-top: 1px dashed var(--line) } .trial:first-of-type { border-top: 0 } code { font: 12.5px ui-monospace, Menlo, Consolas, monospace }
@media (max-width: 42rem) { details.case > summary { grid-template-columns: 5.5rem 1fr auto } summary .cut { display: none } .bar { width: 4rem } th, td { padding: .5rem .6rem } }
@media print { body { background: none; max-width: none } details.case { break-inside: avoid } }
`)
