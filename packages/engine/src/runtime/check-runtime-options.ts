import { checkDuration, refuseOption, type Store, checkOptions, checkNumber, type OptionKinds } from '@parley/core'
import { checkBehaviour, DEFAULTS } from '../agent/agent-defaults.ts'
import { checkQuota } from '../agent/quota/quota.ts'
import type { Retention, RuntimeOptions } from './runtime-options.ts'

const ON_CLOSE = ['cancel', 'suspend']

const OPTIONS: OptionKinds<RuntimeOptions> = {
  agents: 'list',
  models: 'object',
  providers: 'list',
  tools: 'list',
  defaults: 'object',
  quota: 'object',
  bus: 'object',
  resources: 'list',
  onClose: ON_CLOSE,
  store: 'store',
  worker: 'string',
  isWorkerGone: 'function',
  leaseMs: 'number',
  autoResume: 'strings',
  retention: 'object',
  captureRequests: ['none', 'show', 'keep'],
  onUnreadFailure: 'function',
  clock: 'clock',
}

/**
 * Checks the options of a runtime.
 * @throws ParleyError `config-invalid` with the path of the option that is invalid. Agents and tools are checked when
 * they are registered.
 */
export function checkRuntimeOptions(options: RuntimeOptions): void {
  checkOptions('createRuntime', options, OPTIONS)
  if (options.bus !== undefined && !has('publish')(options.bus))
    refuseOption('createRuntime.bus', 'must be an event bus, of createEventBus')
  if (options.worker === '') refuseOption('createRuntime.worker', 'must be a name')
  checkNumber({ path: 'createRuntime.leaseMs', value: options.leaseMs, unit: 'milliseconds' })
  const { models = {}, providers = [], resources = [], defaults, quota, onClose, store } = options
  for (const [name, model] of Object.entries(models))
    if (!has('stream')(model)) refuseOption(`models.${name}`, 'must be a model')
  const names = new Set<string>()
  for (const [index, provider] of providers.entries()) {
    if (!has('model')(provider)) refuseOption(`providers.${index}`, 'must be a provider of models')
    if (names.has(provider.name)) refuseOption(`providers.${index}`, `two providers are named '${provider.name}'`)
    names.add(provider.name)
  }
  for (const [index, resource] of resources.entries()) {
    const closable = isObject(resource) && ['close', Symbol.asyncDispose, Symbol.dispose].some(key => key in resource)
    if (!closable) refuseOption(`resources.${index}`, 'must have close, Symbol.asyncDispose or Symbol.dispose')
    if (resource.onEvent !== undefined && typeof resource.onEvent !== 'function')
      refuseOption(`resources.${index}.onEvent`, 'must be a function that adds a listener')
  }
  if (quota !== undefined) checkQuota(quota, 'quota')
  if (defaults !== undefined) checkDefaults(defaults)
  checkOnClose(onClose, store, 'onClose')
  if ((options.autoResume ?? []).length > 0 && store === undefined) refuseOption('autoResume', 'requires a store')
  if (options.retention !== undefined) checkRetention(options.retention, store)
}

const RETENTION: OptionKinds<Retention> = { olderThanMs: 'number!', scopes: 'strings', everyMs: 'number' }

function checkRetention(retention: Retention, store: Store | undefined): void {
  checkOptions('retention', retention, RETENTION)
  const { olderThanMs, everyMs } = retention
  checkDuration({ olderThanMs }, 'retention')
  checkNumber({ path: 'retention.everyMs', value: everyMs, unit: 'milliseconds' })
  if (store?.prune === undefined)
    refuseOption(
      'retention',
      store === undefined ? 'makes no sense without a store' : `cannot be: '${store.name}' keeps all`,
    )
}

/** Checks that `onClose` fits the store. @throws ParleyError `config-invalid`. */
export function checkOnClose(onClose: unknown, store: Store | undefined, path: string): void {
  if (onClose === 'suspend' && store === undefined) refuseOption(path, "requires a store for 'suspend'")
}

function checkDefaults(defaults: NonNullable<RuntimeOptions['defaults']>): void {
  checkOptions('defaults', defaults, DEFAULTS)
  checkBehaviour(defaults, 'defaults')
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function has(method: string): (value: unknown) => boolean {
  return value => isObject(value) && typeof (value as Record<string, unknown>)[method] === 'function'
}
