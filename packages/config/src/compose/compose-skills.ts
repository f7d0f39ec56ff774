import type { ConfigRegistry } from './config-registry.ts'
import type { ConfigSkills } from './config-services.ts'
import type { MergedAgent } from './merge-profile.ts'
import { reportMissing } from './report-missing.ts'
import type { Reporter } from './reporter.ts'

/** Loads the skills of each agent that names folders. */
export async function composeSkills(
  agents: ReadonlyMap<string, MergedAgent>,
  { services = {} }: ConfigRegistry,
  reporter: Reporter,
): Promise<ReadonlyMap<string, ConfigSkills>> {
  const loaded = new Map<string, ConfigSkills>()
  for (const [name, { data, keyOf }] of agents) {
    if (data.skills === undefined) continue
    const key = keyOf('skills')
    if (services.skills === undefined) {
      reportMissing(reporter, key)
      continue
    }
    try {
      loaded.set(name, await services.skills(data.skills))
    } catch (error) {
      reporter.fail(key, error)
    }
  }
  return loaded
}
