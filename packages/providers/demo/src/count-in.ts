export interface Count {
  readonly number: number
  /** The counted things, as the question names them. */
  readonly things: string
}

/**
 * Counts in a text the things that a question asks about. Returns `undefined` if the question does not ask for a
 * number.
 */
export function countIn(text: string, question: string): Count | undefined {
  const asked = /\b(?:how many|number of|count(?: the)?)\s+(\w+)/i.exec(question)
  if (asked === null) return undefined
  const things = (asked[1] ?? '').toLowerCase()
  if (things === 'lines') return { number: text.split('\n').length, things }
  if (things === 'words') return { number: text.match(/\S+/g)?.length ?? 0, things }
  if (things === 'headings') return { number: text.match(/^#+ /gm)?.length ?? 0, things }
  return { number: rowsOf(text, things) ?? mentions(text, things), things }
}

/** Returns the number of rows of the first table whose header names the things. */
function rowsOf(text: string, things: string): number | undefined {
  const lines = text.split('\n')
  const singular = things.replace(/s$/, '')
  const header = lines.findIndex((line, index) => {
    return (
      line.trim().startsWith('|') && line.toLowerCase().includes(singular) && /^[\s|:-]+$/.test(lines[index + 1] ?? '')
    )
  })
  if (header < 0) return undefined
  const rows = lines.slice(header + 2)
  const end = rows.findIndex(line => !line.trim().startsWith('|'))
  return end < 0 ? rows.length : end
}

function mentions(text: string, things: string): number {
  const singular = things.replace(/s$/, '')
  return text.toLowerCase().split(singular).length - 1
}
