import { lineDiff } from './line-diff.ts'

const SIGNS = { same: '  ', added: '+ ', removed: '− ' }

/** The lines in which two texts differ. Equal lines beside them are cut. */
export function Diff({
  before,
  after,
  name,
}: {
  readonly before: string
  readonly after: string
  readonly name: string
}) {
  const pieces = lineDiff(before, after)
  if (pieces.every(piece => piece.kind === 'same')) return <p className="quiet">No difference.</p>
  return (
    <pre className="diff" tabIndex={0} aria-label={name}>
      {pieces.map((piece, index) => (
        // The pieces of a comparison have no identity besides their place.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={piece.kind}>
          {linesOf(piece.text, piece.kind === 'same')
            .map(line => SIGNS[piece.kind] + line)
            .join('\n')}
        </span>
      ))}
    </pre>
  )
}

function linesOf(text: string, isSame: boolean): readonly string[] {
  const lines = text.split('\n')
  if (!isSame || lines.length <= 6) return lines
  return [...lines.slice(0, 3), `… ${lines.length - 6} equal lines …`, ...lines.slice(-3)]
}
