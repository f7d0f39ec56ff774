import type { Agent, AgentDefaults, CloseOptions, Quota, Retention, RuntimeOptions } from '@parley/engine'
import type { ModelSettings } from '@parley/core'
import { expectTypeOf, it } from 'vitest'
import { defineConfig } from './define-config.ts'
import type { ConfigData } from './schema/config-schema.ts'

it('knows the keys of a configuration and their values', () => {
  defineConfig({ agents: { clerk: { onLimit: 'stop', context: { policy: 'phi', keepFirstTurns: 1 } } } })
  // @ts-expect-error a key that is none
  defineConfig({ agents: { clerk: { modle: 'x' } } })
  // @ts-expect-error a value that is none
  defineConfig({ agents: { clerk: { onLimit: 'halt' } } })
  expectTypeOf<NonNullable<ConfigData['runtime']>['onClose']>().toEqualTypeOf<'cancel' | 'suspend' | undefined>()
})

/** Fields of the engine that a file leaves out, each for a reason, and keys of the file that stand for others. */
type Left<TEngine, TFile> = Exclude<keyof TEngine, keyof NonNullable<TFile>>
type Added<TEngine, TFile> = Exclude<keyof NonNullable<TFile>, keyof TEngine>
type AgentOfFile = ConfigData['agents'][string]

it('has a key for everything the engine takes that a file can say', () => {
  // The file's name for it is the key; code and types cannot be written down; `output` and `approval` stand for the others.
  expectTypeOf<Left<Agent, AgentOfFile>>().toEqualTypeOf<
    'name' | 'tokenCounter' | 'types' | 'outputOptions' | 'onApproval'
  >()
  expectTypeOf<Added<Agent, AgentOfFile>>().toEqualTypeOf<'profile' | 'agents' | 'approval'>()
  expectTypeOf<Left<AgentDefaults, ConfigData['defaults']>>().toEqualTypeOf<never>()
  expectTypeOf<Added<AgentDefaults, ConfigData['defaults']>>().toEqualTypeOf<never>()
  expectTypeOf<Left<ModelSettings, AgentOfFile['settings']>>().toEqualTypeOf<'output'>()
  expectTypeOf<Left<Quota, AgentOfFile['quota']>>().toEqualTypeOf<never>()
})

it('has a key for everything a runtime takes that does not belong to one process', () => {
  type Runtime = ConfigData['runtime']
  type OfTheFile = 'agents' | 'models' | 'providers' | 'defaults'
  type OfTheProgram = 'tools' | 'bus' | 'resources' | 'worker' | 'isWorkerGone' | 'clock'
  expectTypeOf<Left<RuntimeOptions, Runtime>>().toEqualTypeOf<OfTheFile | OfTheProgram>()
  expectTypeOf<Added<RuntimeOptions & CloseOptions, Runtime>>().toEqualTypeOf<never>()
  expectTypeOf<Left<Retention, NonNullable<Runtime>['retention']>>().toEqualTypeOf<never>()
})
