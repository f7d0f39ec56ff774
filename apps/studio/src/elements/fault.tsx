import { sentenceOf, statusOf } from '../client/status-of.ts'
import { Button } from './button.tsx'

/** What went wrong, and what to do: an error for the reader. */
export function Fault({ error, retry }: { readonly error: unknown; readonly retry?: (() => void) | undefined }) {
  return (
    <div className="fault" role="alert">
      <strong>{TITLES.get(statusOf(error) ?? -1) ?? 'The server refused this'}</strong>
      <span>{sentenceOf(error)}</span>
      {retry === undefined ? null : (
        <span>
          <Button onPress={retry}>Try again</Button>
        </span>
      )}
    </div>
  )
}

const TITLES: ReadonlyMap<number, string> = new Map([
  [-1, 'This did not work'],
  [0, 'The server does not answer'],
  [401, 'The server does not know this key'],
  [403, 'This key may not do that'],
  [404, 'The server does not have this'],
  [501, 'The store cannot do this'],
])
