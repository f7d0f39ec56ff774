// Records a session of the real program as demo/session.svg: `node demo/record-session.mjs`, which requires tmux. The demo model
// answers, so the recording shows the same text each time. Only times and ids of runs differ.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const COLUMNS = 92
const ROWS = 24
const FRAME_SECONDS = 2.5
const PROMPT = /^> ?\s*(?![^])/m
const SHELL = /^\$ ?\s*(?![^])/m

/** What is typed, and what the screen shows when the next line can follow. */
const STEPS = [
  ['parley chat --session tides', PROMPT],
  ['What is 12 * 34?', PROMPT],
  ['/fork 2 And what is 2 ^ 10?', PROMPT],
  ['/cost', PROMPT],
  ['/quit', SHELL],
  ['parley runs', SHELL],
]

const dir = mkdtempSync(path.join(tmpdir(), 'parley-demo-'))
const tmux = (...words) =>
  execFileSync('tmux', ['-S', path.join(dir, 'tmux'), '-f', '/dev/null', ...words], { encoding: 'utf8' })

function start() {
  const bin = path.resolve(import.meta.dirname, '../src/bin.ts')
  const program = `#!/bin/sh\nexec '${process.execPath}' --conditions=@parley/source '${bin}' "$@"\n`
  writeFileSync(path.join(dir, 'parley'), program, { mode: 0o755 })
  const environment = { PATH: `${dir}:${process.env.PATH}`, PS1: '$ ', TERM: 'tmux-256color', LANG: 'C.UTF-8' }
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  tmux('-u', 'new-session', '-d', '-c', dir, '-x', COLUMNS, '-y', ROWS, 'env', '-i', ...variables, 'sh')
}

/** Waits until the screen shows a text, and two looks at it agree. */
async function settled(shown) {
  for (let before = ''; ; await wait(100)) {
    const screen = tmux('capture-pane', '-p', '-J')
    if (screen === before && shown.test(screen)) return tmux('capture-pane', '-p', '-e')
    before = screen
  }
}

const COLORS = ['#5c6370', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#dcdfe4']
const PLAIN = { fill: COLORS[7], bold: false, dim: false }

/** The style after the codes of `ESC [ … m`. */
function styleAfter(style, codes) {
  let next = style
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) next = PLAIN
    else if (code === 1) next = { ...next, bold: true }
    else if (code === 2) next = { ...next, dim: true }
    else if (code === 22) next = { ...next, bold: false, dim: false }
    else if (code >= 30 && code <= 37) next = { ...next, fill: COLORS[code - 30] }
    else if (code >= 90 && code <= 97) next = { ...next, fill: COLORS[code - 90] }
    else if (code === 39) next = { ...next, fill: PLAIN.fill }
  }
  return next
}

const escape = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The rows of a screen as SVG. */
function toText(screen) {
  let style = PLAIN
  return screen
    .split('\n')
    .map((row, index) => {
      const spans = row.split('\u001b[').map((piece, at) => {
        const [, codes, text] = at === 0 ? [undefined, undefined, piece] : (/^([\d;]*)m([^]*)$/.exec(piece) ?? [])
        if (codes !== undefined) style = styleAfter(style, codes)
        if (text === undefined || text === '') return ''
        const { fill, bold, dim } = style
        const looks = `${fill === PLAIN.fill ? '' : ` fill="${fill}"`}${bold ? ' font-weight="bold"' : ''}${dim ? ' opacity=".6"' : ''}`
        return looks === '' ? escape(text) : `<tspan${looks}>${escape(text)}</tspan>`
      })
      const text = spans.join('').trimEnd()
      return text === '' ? '' : `<text x="12" y="${24 + index * 18}">${text}</text>`
    })
    .filter(row => row !== '')
    .join('\n')
}

/** Frames that follow each other. A viewer without animations shows the last one. */
function toSvg(frames) {
  const share = 100 / frames.length
  const rules = frames.map((_, index) => {
    const [from, to] = [index * share, (index + 1) * share].map(each => `${each.toFixed(2)}%`)
    const before = index === 0 ? '' : '0%{visibility:hidden}'
    const after = index === frames.length - 1 ? '' : `${to}{visibility:hidden}`
    const seconds = frames.length * FRAME_SECONDS
    return `@keyframes f${index}{${before}${from}{visibility:visible}${after}}.f${index}{animation:f${index} ${seconds}s infinite step-end${index === frames.length - 1 ? '' : ';visibility:hidden'}}`
  })
  const [width, height] = [COLUMNS * 8.5 + 24, ROWS * 18 + 24]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<title>A chat with parley in a terminal</title>
<style>text{font:14px ui-monospace,Menlo,Consolas,monospace;white-space:pre;fill:${PLAIN.fill}}
${rules.join('\n')}</style>
<rect width="100%" height="100%" rx="8" fill="#1e2127"/>
${frames.map((frame, index) => `<g class="f${index}">\n${toText(frame)}\n</g>`).join('\n')}
</svg>
`
}

try {
  start()
  const frames = [await settled(SHELL)]
  for (const [line, shown] of STEPS) {
    tmux('send-keys', '-l', line)
    await settled(/\S/)
    tmux('send-keys', 'Enter')
    // The prompt must be that after the line.
    await settled({ test: screen => shown.test(screen) && screen.includes(line) })
    frames.push(await settled(shown))
  }
  writeFileSync(path.join(import.meta.dirname, 'session.svg'), toSvg(frames))
} finally {
  tmux('kill-server')
  rmSync(dir, { recursive: true, force: true })
}
