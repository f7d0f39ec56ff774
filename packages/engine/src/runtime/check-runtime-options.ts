import { checkDuration, refuseOption, type Store } from '@parley/core'
import { checkBehaviour, type AgentDefaults } from '../agent/agent-defaults.ts'
import { checkQuota } from '../agent/quota/quota.ts'
import { isRequestCapture } from '../run-context/request-capture.ts'
import type { Retention, RuntimeOptions } from './runtime-options.ts'

const FIELDS = {
  agents: isList,
  models: isObject,
  providers: isList,
  tools: isList,
  defaults: isObject,
  quota: isObject,
  bus: has('publish'),
  resources: isList,
  onClose: value => value === 'cancel' || value === 'suspend',
  store: has('append'),
  worker: value => typeof value === 'string' && value !== '',
  isWorkerGone: value => typeof value === 'function',
  leaseMs: value => typeof value === 'number' && value > 0,
  autoResume: value => Array.isArray(value) && value.every(scope => typeof scope === 'string'),
  retention: isObject,
  captureRequests: isRequestCapture,
  onUnreadFailure: value => typeof value === 'function',
  clock: value => has('now')(value) && has('after')(value),
} satisfies Record<keyof RuntimeOptions, (value: unknown) => boolean>

const MUST: Partial<Record<keyof RuntimeOptions, string>> = {
  bus: 'an event bus, of createEventBus',
  onClose: "'cancel' or 'suspend'",
  store: 'a store',
  worker: 'a name',
  captureRequests: "'none', 'show' or 'keep'",
  isWorkerGone: 'a function',
  onUnreadFailure: 'a function',
  leaseMs: 'a number of milliseconds above 0',
  autoResume: 'a list of scopes',
  retention: 'an object',
  clock: 'a clock with now and after',
  models: 'an object',
  defaults: 'an object',
  quota: 'an object',
}

const DEFAULTS: Readonly<Record<keyof AgentDefaults, true>> = {
  model: true,
  limits: true,
  onLimit: true,
  toolExecution: true,
  toolTimeoutMs: true,
  permissions: true,
  settings: true,
  retry: true,
  clientTools: true,
  middleware: true,
}

/** @throws ParleyError `config-invalid` with the path of the option that is invalid. Agents and tools are checked when they are registered. */
export function checkRuntimeOptions(options: RuntimeOptions): void {
  for (const [field, value] of Object.entries(options)) {
    if (!isField(field)) refuseOption(field, 'is not an option of a runtime')
    if (value !== undefined && !FIELDS[field](value)) refuseOption(field, `must be ${MUST[field] ?? 'a list'}`)
  }
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

const RETENTION: readonly string[] = ['olderThanMs', 'scopes', 'everyMs'] satisfies (keyof Retention)[]

function checkRetention(retention: Retention, store: Store | undefined): void {
  const { olderThanMs, scopes = [], everyMs = 1 } = retention
  for (const field of Object.keys(retention))
    if (!RETENTION.includes(field)) refuseOption(`retention.${field}`, 'is not an option')
  checkDuration({ olderThanMs: olderThanMs ?? Number.NaN }, 'retention')
  if (!(everyMs > 0)) refuseOption('retention.everyMs', `is ${everyMs}; must be a number of milliseconds above 0`)
  if (!FIELDS.autoResume(scopes)) refuseOption('retention.scopes', `must be ${MUST.autoResume}`)
  if (store?.prune === undefined)
    refuseOption(
      'retention',
      store === undefined ? 'makes no sense without a store' : `cannot be: '${store.name}' keeps all`,
    )
}

/** @throws ParleyError `config-invalid`. */
export function checkOnClose(onClose: unknown, store: Store | undefined, path: string): void {
  if (onClose !== undefined && !FIELDS.onClose(onClose)) refuseOption(path, `must be ${MUST.onClose}`)
  if (onClose === 'suspend' && store === undefined) refuseOption(path, "requires a store for 'suspend'")
}

function checkDefaults(defaults: NonNullable<RuntimeOptions['defaults']>): void {
  for (const field of Object.keys(defaults))
    if (!Object.hasOwn(DEFAULTS, field)) refuseOption(`defaults.${field}`, 'is not a default for agents')
  const { model } = defaults
  if (model !== undefined && typeof model !== 'string' && !has('stream')(model))
    refuseOption('defaults.model', 'must be a model')
  checkBehaviour(defaults, 'defaults')
}

function isField(field: string): field is keyof RuntimeOptions {
  return field in FIELDS
}

function isList(value: unknown): boolean {
  return Array.isArray(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function has(method: string): (value: unknown) => boolean {
  return value => isObject(value) && typeof (value as Record<string, unknown>)[method] === 'function'
}
