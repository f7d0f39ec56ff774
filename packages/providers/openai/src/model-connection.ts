import type { Http } from '@parley/provider-kit'
import type { Quirks } from './quirks/quirks.ts'

/** What the models of one provider share. */
export interface ModelConnection {
  readonly provider: string
  readonly quirks: Quirks
  readonly wire: 'stream' | 'json'
  readonly http: Http
  readonly createCallId: () => string
}
