import type { PromptyModelInfo } from './to-model-info.ts'

/** What is known about families of models, by provider; a family is named by how its ids begin. */
export interface ModelDataset {
  readonly providers: Readonly<
    Record<
      string,
      readonly ({ readonly prefix: string } & Partial<Omit<PromptyModelInfo, 'id' | 'additionalProperties'>>)[]
    >
  >
}

/**
 * Fills in what a provider left out, from the family with the longest fitting name. What the provider said stays, also
 * an empty list.
 */
export function enrichModelInfo(
  info: PromptyModelInfo,
  provider: string,
  { providers }: ModelDataset,
): PromptyModelInfo {
  const families = Object.hasOwn(providers, provider) ? (providers[provider] ?? []) : []
  const fitting = families.filter(({ prefix }) => belongsTo(info.id, prefix))
  const [family] = fitting.sort((a, b) => b.prefix.length - a.prefix.length)
  if (family === undefined) return info
  const { prefix: _, ...known } = family
  const missing = Object.entries(known).filter(([field]) => {
    const said = info[field as keyof PromptyModelInfo]
    return said === undefined || said === null
  })
  return { ...info, ...Object.fromEntries(missing) }
}

/** A family's name ends where a word of the id does: `gpt-4` is no family of `gpt-45`. */
function belongsTo(id: string, prefix: string): boolean {
  return id.startsWith(prefix) && !/^[A-Za-z0-9]/.test(id.slice(prefix.length))
}
