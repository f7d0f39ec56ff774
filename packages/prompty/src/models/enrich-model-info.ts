import type { PromptyModelInfo } from './to-model-info.ts'

/** Facts about model families, by provider. A family is named by the prefix of its ids. */
export interface ModelDataset {
  readonly providers: Readonly<
    Record<
      string,
      readonly ({ readonly prefix: string } & Partial<Omit<PromptyModelInfo, 'id' | 'additionalProperties'>>)[]
    >
  >
}

/**
 * Fills in missing facts from the family with the longest matching prefix. Facts of the provider are kept, even an empty list.
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

/**
 * Whether an id belongs to the family with this prefix. The prefix must end at the end of a word: `gpt-4` does not
 * match `gpt-45`.
 */
function belongsTo(id: string, prefix: string): boolean {
  return id.startsWith(prefix) && !/^[A-Za-z0-9]/.test(id.slice(prefix.length))
}
