import { isRecord } from './same-json.ts'

/** The differences between the drafts of JSON Schema. */
export interface Dialect {
  /** Keyword of a schema's own URI. */
  readonly id: '$id' | 'id'
  /** Whether the keywords beside `$ref` are ignored, as in the drafts up to draft-07. */
  readonly refStandsAlone: boolean
  /** Whether `$id: '#name'` is an anchor, as in the drafts up to draft-07. */
  readonly idAnchors: boolean
  /** Whether there are `unevaluated…` keywords and anchors, as from 2019-09 on. */
  readonly modern: boolean
  /** Whether `contains` counts as looking at an item, as from 2020-12 on. */
  readonly containsEvaluates: boolean
  readonly recursiveRef: boolean
}

const old = { refStandsAlone: true, idAnchors: true, modern: false, containsEvaluates: false, recursiveRef: false }
const draft4: Dialect = { ...old, id: 'id' }
const draft7: Dialect = { ...old, id: '$id' }
const draft2019: Dialect = {
  ...old,
  id: '$id',
  refStandsAlone: false,
  idAnchors: false,
  modern: true,
  recursiveRef: true,
}
/** The dialect of a schema that does not say which one it is written in. */
export const draft2020: Dialect = { ...draft2019, containsEvaluates: true, recursiveRef: false }

const BY_URI: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft-03/schema', draft4],
  ['json-schema.org/draft-04/schema', draft4],
  ['json-schema.org/draft-06/schema', draft7],
  ['json-schema.org/draft-07/schema', draft7],
  ['json-schema.org/draft/2019-09/schema', draft2019],
  ['json-schema.org/draft/2020-12/schema', draft2020],
])

/** Returns the dialect that a `$schema` names. `undefined` for other URIs. */
export function dialectOf(uri: unknown): Dialect | undefined {
  return typeof uri === 'string' ? BY_URI.get(uri.replace(/^https?:\/\//, '').replace(/#$/, '')) : undefined
}

/** Whether a metaschema of the user's own leaves out the vocabulary of the keywords that validate, such as `type`. */
export function lacksValidation(metaschema: unknown): boolean {
  const vocabulary = isRecord(metaschema) ? metaschema['$vocabulary'] : undefined
  return isRecord(vocabulary) && !Object.keys(vocabulary).some(uri => uri.endsWith('/vocab/validation'))
}
