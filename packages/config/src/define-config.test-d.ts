import type { Agent, AgentDefaults, CloseOptions, Quota, Retention, RuntimeOptions } from '@parley/engine'
import type { ModelSettings } from '@parley/core'
import { expectTypeOf, it } from 'vitest'
import { defineConfig } from './define-config.ts'
import type { ConfigData } from './schema/config-schema.ts'

it('the type ConfigData has the keys of a configuration and the types of their values', () => {
  defineConfig({ agents: { clerk: { onLimit: 'stop', context: { policy: 'phi', keepFirstTurns: 1 } } } })
  // @ts-expect-error an unknown key
  defineConfig({ agents: { clerk: { modle: 'x' } } })
  // @ts-expect-error an invalid value
  defineConfig({ agents: { clerk: { onLimit: 'halt' } } })
  expectTypeOf<NonNullable<ConfigData['runtime']>['onClose']>().toEqualTypeOf<'cancel' | 'suspend' | undefined>()
})

/** Engine fields that a file does not have, and file keys that the engine does not have. */
type Left<TEngine, TFile> = Exclude<keyof TEngine, keyof NonNullable<TFile>>
type Added<TEngine, TFile> = Exclude<keyof NonNullable<TFile>, keyof TEngine>
type AgentOfFile = ConfigData['agents'][string]

it('the file has a key for every agent field that data can express', () => {
  // The key of an agent is its name. `output` and `approval` cover `outputOptions` and `onApproval`. Code cannot be data.
  expectTypeOf<Left<Agent, AgentOfFile>>().toEqualTypeOf<
    'name' | 'tokenCounter' | 'types' | 'outputOptions' | 'onApproval'
  >()
  expectTypeOf<Added<Agent, AgentOfFile>>().toEqualTypeOf<'profile' | 'agents' | 'approval' | 'skills'>()
  expectTypeOf<Left<AgentDefaults, ConfigData['defaults']>>().toEqualTypeOf<never>()
  expectTypeOf<Added<AgentDefaults, ConfigData['defaults']>>().toEqualTypeOf<never>()
  expectTypeOf<Left<ModelSettings, AgentOfFile['settings']>>().toEqualTypeOf<'output'>()
  expectTypeOf<Left<Quota, AgentOfFile['quota']>>().toEqualTypeOf<never>()
})

it('the file has a key for every runtime option that does not belong to one process', () => {
  type Runtime = ConfigData['runtime']
  type OfTheFile = 'agents' | 'models' | 'providers' | 'defaults'
  type OfTheProgram = 'tools' | 'bus' | 'resources' | 'worker' | 'isWorkerGone' | 'onUnreadFailure' | 'clock'
  expectTypeOf<Left<RuntimeOptions, Runtime>>().toEqualTypeOf<OfTheFile | OfTheProgram>()
  expectTypeOf<Added<RuntimeOptions & CloseOptions, Runtime>>().toEqualTypeOf<never>()
  expectTypeOf<Left<Retention, NonNullable<Runtime>['retention']>>().toEqualTypeOf<never>()
})
