/** Data as indented JSON. Long data is cut; the reader may ask for the whole. */
export function JsonView({ value, name }: { readonly value: unknown; readonly name: string }) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? 'undefined')
  return (
    <pre className="json" tabIndex={0} aria-label={name}>
      {text.length > MOST ? `${text.slice(0, MOST)}\n… ${text.length - MOST} more characters` : text}
    </pre>
  )
}

/** Characters that the browser lays out without a pause. */
const MOST = 200_000
