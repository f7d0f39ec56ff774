import { PROVIDERS, STORES, type ProviderName, type StoreName } from './choices.ts'

/** The parts that a project uses. */
export interface Parts {
  readonly provider: ProviderName
  readonly store: StoreName
}

/** The parts of the templates in this repository, which need neither a key nor a database. */
const TEMPLATE_PARTS: ReadonlySet<string> = new Set([PROVIDERS.demo.package, STORES.memory.package])

/** Returns the dependencies of a template with the chosen parts and published versions. */
export function resolveDependencies(
  given: Readonly<Record<string, string>>,
  { provider, store }: Parts,
  range: string,
): Record<string, string> {
  const kept = Object.entries(given).filter(([name]) => !TEMPLATE_PARTS.has(name))
  const chosen = [PROVIDERS[provider].package, STORES[store].package].map((name): [string, string] => [name, range])
  const published = kept.map(([name, version]): [string, string] => [
    name,
    version.startsWith('workspace:') ? range : version,
  ])
  return Object.fromEntries([...published, ...chosen].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
