import { useQueryClient } from '@tanstack/react-query'
import { keepAccessKey, accessKey } from '../client/access-key.ts'
import { Button } from '../elements/button.tsx'

/** Asks for the key of the server. */
export function KeyQuestion() {
  const queries = useQueryClient()
  return (
    <main className="page">
      <h1>Parley Studio</h1>
      <form
        className="card stack"
        onSubmit={event => {
          event.preventDefault()
          const key = new FormData(event.currentTarget).get('key')
          if (typeof key !== 'string' || key === '') return
          keepAccessKey(key)
          void queries.resetQueries()
        }}
      >
        {accessKey() === undefined ? null : <p role="alert">The server does not know this key. Enter another one.</p>}
        <div className="field">
          <label htmlFor="key">Key of the server</label>
          <input id="key" name="key" type="password" autoComplete="current-password" required />
        </div>
        <p className="quiet small">The key is kept until this tab closes.</p>
        <div>
          <Button kind="first" type="submit">
            Open
          </Button>
        </div>
      </form>
    </main>
  )
}
