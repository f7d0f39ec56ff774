import { createScenarioServer, describeModelContract } from '@parley/testing/contract'
import { surfaces } from './__fixtures__/surfaces.ts'

for (const [name, { wire, open }] of Object.entries(surfaces))
  describeModelContract(name, {
    open(scenario) {
      const { fetch, idle } = createScenarioServer(scenario, wire)
      return { model: open(fetch), idle }
    },
  })
