import { fieldsOf, listOf, textOf, type Http } from '@parley/provider-kit'

/** A model the server has on its disk. */
export interface ListedModel {
  readonly id: string
  /** On disk, in bytes. */
  readonly sizeBytes?: number | undefined
}

/** Asks `GET /api/tags`. */
export async function listModels(http: Http, signal: AbortSignal | undefined): Promise<readonly ListedModel[]> {
  return fromTags(await http.json({ method: 'GET', path: 'api/tags', signal }))
}

/** Reads a list of models; entries without a name are left out. */
export function fromTags(body: unknown): readonly ListedModel[] {
  const models: ListedModel[] = []
  for (const entry of listOf(fieldsOf(body)?.['models'])) {
    const { model, name, size } = fieldsOf(entry) ?? {}
    const id = textOf(model) || textOf(name)
    if (id !== '') models.push(typeof size === 'number' ? { id, sizeBytes: size } : { id })
  }
  return models
}
