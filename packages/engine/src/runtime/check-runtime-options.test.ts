import { scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'
import { createRuntime, defineAgent, type RuntimeOptions } from '../index.ts'
import { createMemoryStore } from '@parley/memory-store'

const model = scriptedModel([])
const provider = { name: 'acme', model: () => model }

it.each<[unknown, string]>([
  [{ agent: [] }, "createRuntime.agent: is an unknown option; did you mean 'agents'?"],
  [{ agents: {} }, 'createRuntime.agents: is an object; must be a list'],
  [{ agents: [{ name: ' ', model }] }, 'agents: an agent must have a name'],
  [{ models: { fast: {} } }, 'models.fast: must be a model'],
  [{ models: 'fast' }, 'createRuntime.models: is a string; must be an object'],
  [{ providers: [provider, provider] }, "providers.1: two providers are named 'acme'"],
  [{ providers: [{ name: 'acme' }] }, 'providers.0: must be a provider of models'],
  [{ tools: [{}] }, 'tools: a tool has no name'],
  [{ defaults: { name: 'x' } }, 'defaults.name: is an unknown option; known:'],
  [{ defaults: { model: {} } }, 'defaults.model: is an object; must be a model'],
  [{ defaults: { onLimit: 'explode' } }, "defaults.onLimit: is 'explode'; must be stop, fail or answer"],
  [{ defaults: { limits: { maxTurns: 0 } } }, 'defaults.limits.maxTurns: is 0; must be above 0'],
  [{ defaults: { toolExecution: 'wild' } }, "defaults.toolExecution: is 'wild'"],
  [{ defaults: { toolExecution: { batch: 0 } } }, 'defaults.toolExecution.batch: is 0'],
  [{ defaults: { toolTimeoutMs: 0 } }, 'defaults.toolTimeoutMs: is 0; must be above 0'],
  [
    { defaults: { permissions: [{ tool: '', permission: 'deny' }] } },
    'defaults.permissions.0.tool: must be the name of a tool',
  ],
  [{ defaults: { permissions: [{ tool: 'x', permission: 'maybe' }] } }, 'defaults.permissions.0.permission: must be'],
  [{ quota: { maxConcurrentRuns: 0 } }, 'quota.maxConcurrentRuns: is 0; must be an integer above 0'],
  [{ quota: { maxConcurrentToolCalls: 1.5 } }, 'quota.maxConcurrentToolCalls: is 1.5'],
  [{ quota: { maxTokensPerTurn: -1 } }, 'quota.maxTokensPerTurn: is -1'],
  [{ quota: { maxTokens: Number.NaN } }, 'quota.maxTokens: is NaN'],
  [{ quota: { maxCost: -1 } }, 'quota.maxCost: is -1; must be a number not below 0'],
  [{ quota: { maxRuns: 0.5 } }, 'quota.maxRuns: is 0.5'],
  [{ quota: { maxRuns: 1, windowMs: 0 } }, 'quota.windowMs: is 0'],
  [{ quota: { key: () => 'k', maxConcurrentRuns: 1 } }, 'quota.key: requires maxTokens, maxCost, maxRuns or several'],
  [{ quota: { windowMs: 1 } }, 'quota.windowMs: requires maxTokens, maxCost, maxRuns or several'],
  [{ agents: [{ name: 'a', model }], quota: { maxCost: 1 } }, 'quota.maxCost: cannot be enforced'],
  [{ agents: [{ name: 'a', model, quota: { maxCost: 1 } }] }, 'agents.a.quota.maxCost: cannot be enforced'],
  [{ quota: { maxTotalRuns: 1 } }, "quota.maxTotalRuns: is an unknown option; did you mean 'maxRuns'"],
  [{ quota: { maxRuns: 1, key: 'user' } }, "quota.key: is 'user'; must be principal, session or a function"],
  [{ quota: { onFull: 'explode' } }, "quota.onFull: is 'explode'; must be wait or refuse"],
  [{ bus: {} }, 'createRuntime.bus: must be an event bus, of createEventBus'],
  [{ resources: [{}] }, 'resources.0: must have close'],
  [{ resources: [{ close() {}, onEvent: 1 }] }, 'resources.0.onEvent: must be a function'],
  [{ onClose: 'explode' }, "createRuntime.onClose: is 'explode'; must be cancel or suspend"],
  [{ onClose: 'suspend' }, "onClose: requires a store for 'suspend'"],
  [{ store: {} }, 'createRuntime.store: is an object; must be a store'],
  [{ worker: '' }, 'createRuntime.worker: must be a name'],
  [{ isWorkerGone: true }, 'createRuntime.isWorkerGone: is true; must be a function'],
  [{ leaseMs: 0 }, 'createRuntime.leaseMs: is 0; must be a number of milliseconds above 0'],
  [{ retention: { olderThanMs: 1 } }, 'retention: makes no sense without a store'],
  [{ store: createMemoryStore(), retention: {} }, 'retention.olderThanMs: is missing; must be a number'],
  [{ store: createMemoryStore(), retention: { olderThanMs: 1, everyMs: 0 } }, 'retention.everyMs: is 0'],
  [
    { store: createMemoryStore(), retention: { olderThanMs: 1, scopes: 'all' } },
    'retention.scopes: is a string; must be a list of strings',
  ],
  [{ store: createMemoryStore(), retention: { days: 1 } }, 'retention.days: is an unknown option'],
  [
    { store: { ...createMemoryStore(), prune: undefined }, retention: { olderThanMs: 1 } },
    "retention: cannot be: 'memory' keeps all",
  ],
  [{ clock: { now: Date.now } }, 'createRuntime.clock: is an object; must be a clock: an object with now and after'],
  [{ agents: [{ name: 'a', model, quota: { maxConcurrentRuns: 0 } }] }, 'agents.a.quota.maxConcurrentRuns: is 0'],
  [{ agents: [{ name: 'a', model, permissions: [{ tool: '' }] }] }, 'agents.a.permissions.0.tool: must be the name'],
  [{ agents: [{ name: 'a', model: '' }] }, 'agents.a.model: must be a model'],
])('createRuntime rejects %o with the error %s', (options, message) => {
  expect(() => createRuntime(options as RuntimeOptions)).toThrow(message)
})

it('createRuntime treats undefined options as missing', () => {
  const options = { agents: undefined, store: undefined, quota: undefined, defaults: undefined, onClose: undefined }
  expect(() => createRuntime(options)).not.toThrow()
})

it('createRuntime accepts all valid options together', () => {
  const store = createMemoryStore()
  const agents = [defineAgent({ name: 'a', model: 'fast', tools: [] })]
  const quota = { maxConcurrentRuns: 1, onFull: 'refuse', maxTokens: 5 } as const
  expect(() =>
    createRuntime({
      store,
      agents,
      models: { fast: model },
      providers: [provider],
      quota,
      onClose: 'suspend',
      retention: { olderThanMs: 0, scopes: [], everyMs: 5 },
      resources: [store],
    }),
  ).not.toThrow()
})
