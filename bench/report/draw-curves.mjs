const [WIDTH, HEIGHT] = [640, 300]
const AREA = { left: 70, right: 20, top: 40, bottom: 46 }
const COLORS = ['#3b6ecc', '#8a8f98', '#c9742d', '#2f8f5b', '#9a4fb5']

/** Draws one metric of all sides over the points, as SVG. The x axis is logarithmic if the points span more than a factor of 20. */
export function drawCurves({ axis, points, medians }, { metric, label }) {
  const sides = Object.keys(medians).filter(side => points.some(point => medians[side][point]?.[metric] !== undefined))
  const top = niceCeil(Math.max(...sides.flatMap(side => points.map(point => medians[side][point]?.[metric] ?? 0))))
  const scaleX = points.at(-1) / points[0] > 20 ? Math.log : Number
  const [first, last] = [scaleX(points[0]), scaleX(points.at(-1))]
  const x = point => AREA.left + ((scaleX(point) - first) / (last - first || 1)) * (WIDTH - AREA.left - AREA.right)
  const y = value => HEIGHT - AREA.bottom - (value / top) * (HEIGHT - AREA.top - AREA.bottom)
  const grid = [0, 0.25, 0.5, 0.75, 1].map(share => {
    const at = y(top * share)
    return `<line x1="${AREA.left}" y1="${at}" x2="${WIDTH - AREA.right}" y2="${at}" class="grid"/><text x="${AREA.left - 8}" y="${at + 4}" text-anchor="end">${short(top * share)}</text>`
  })
  const ticks = points.map(
    point => `<text x="${x(point)}" y="${HEIGHT - 26}" text-anchor="middle">${short(point)}</text>`,
  )
  const curves = sides.map((side, index) => {
    const color = COLORS[index % COLORS.length]
    const known = points.filter(point => medians[side][point]?.[metric] !== undefined)
    const at = point => `${x(point).toFixed(1)},${y(medians[side][point][metric]).toFixed(1)}`
    const dots = known.map(
      point => `<circle cx="${at(point).split(',')[0]}" cy="${at(point).split(',')[1]}" r="3.5" fill="${color}"/>`,
    )
    const legend = `<text x="${WIDTH - AREA.right - 110 * (sides.length - index) + 14}" y="22">${side}</text><rect x="${WIDTH - AREA.right - 110 * (sides.length - index)}" y="13" width="10" height="10" fill="${color}"/>`
    return `<polyline points="${known.map(at).join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}${legend}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<style>text{font:12px system-ui,sans-serif;fill:#6b7280}.grid{stroke:#9ca3af;stroke-opacity:.35}</style>
${grid.join('\n')}
${ticks.join('\n')}
${curves.join('\n')}
<text x="${AREA.left - 50}" y="22" font-weight="600">${label}</text>
<text x="${(AREA.left + WIDTH - AREA.right) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${axis}</text>
</svg>
`
}

function niceCeil(value) {
  const power = 10 ** Math.floor(Math.log10(value || 1))
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map(step => step * power).find(step => step >= value) ?? value
}

function short(value) {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))} M`
  if (value >= 1e4) return `${Number((value / 1e3).toPrecision(3))} k`
  return String(Number(value.toPrecision(3)))
}
