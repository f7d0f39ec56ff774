import { checkDuration, refuseOption, type Store } from '@parley/core'
import { checkBehaviour } from '../agent/agent-defaults.ts'
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
  clock: value => has('now')(value) && has('after')(value),
} satisfies Record<keyof RuntimeOptions, (value: unknown) => boolean>

const MUST: Partial<Record<keyof RuntimeOptions, string>> = {
  bus: 'an event bus, of createEventBus',
  onClose: "'cancel' or 'suspend'",
  store: 'a store',
  worker: 'a name',
  captureRequests: "'none', 'show' or 'keep'",
  isWorkerGone: 'a function',
  leaseMs: 'a number of milliseconds above 0',
  autoResume: 'a list of scopes',
  retention: 'an object',
  clock: 'a clock with now and after',
  models: 'an object',
  defaults: 'an object',
  quota: 'an object',
}

const DEFAULTS = new Set([
  'model',
  'limits',
  'onLimit',
  'toolExecution',
  'toolTimeoutMs',
  'permissions',
  'settings',
  'retry',
])

/** @throws ParleyError `config-invalid` naming the field that makes no sense. Agents and tools are checked where they are registered. */
export function checkRuntimeOptions(options: RuntimeOptions): void {
  for (const [field, value] of Object.entries(options)) {
    if (!isField(field)) refuseOption(field, 'is no option of a runtime')
    if (value !== undefined && !FIELDS[field](value)) refuseOption(field, `must be ${MUST[field] ?? 'a list'}`)
  }
  const { models = {}, providers = [], resources = [], defaults, quota, onClose, store } = options
  for (const [name, model] of Object.entries(models))
    if (!has('stream')(model)) refuseOption(`models.${name}`, 'is no model')
  const names = new Set<string>()
  for (const [index, provider] of providers.entries()) {
    if (!has('model')(provider)) refuseOption(`providers.${index}`, 'is no provider of models')
    if (names.has(provider.name)) refuseOption(`providers.${index}`, `two providers are named '${provider.name}'`)
    names.add(provider.name)
  }
  for (const [index, resource] of resources.entries()) {
    const closable = isObject(resource) && ['close', Symbol.asyncDispose, Symbol.dispose].some(key => key in resource)
    if (!closable) refuseOption(`resources.${index}`, 'can be neither closed nor disposed')
  }
  if (quota !== undefined) checkQuota(quota, 'quota')
  if (defaults !== undefined) checkDefaults(defaults)
  checkOnClose(onClose, store, 'onClose')
  if ((options.autoResume ?? []).length > 0 && store === undefined)
    refuseOption('autoResume', 'makes no sense without a store to resume from')
  if (options.retention !== undefined) checkRetention(options.retention, store)
}

const RETENTION: readonly string[] = ['olderThanMs', 'scopes', 'everyMs'] satisfies (keyof Retention)[]

function checkRetention(retention: Retention, store: Store | undefined): void {
  const { olderThanMs, scopes = [], everyMs = 1 } = retention
  for (const field of Object.keys(retention))
    if (!RETENTION.includes(field)) refuseOption(`retention.${field}`, 'is no option')
  checkDuration({ olderThanMs: olderThanMs ?? Number.NaN }, 'retention')
  if (!(everyMs > 0)) refuseOption('retention.everyMs', `is ${everyMs}, it must be a number of milliseconds above 0`)
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
  if (onClose === 'suspend' && store === undefined)
    refuseOption(path, "cannot be 'suspend' without a store to resume from")
}

function checkDefaults(defaults: NonNullable<RuntimeOptions['defaults']>): void {
  for (const field of Object.keys(defaults))
    if (!DEFAULTS.has(field)) refuseOption(`defaults.${field}`, 'has no default')
  const { model } = defaults
  if (model !== undefined && typeof model !== 'string' && !has('stream')(model))
    refuseOption('defaults.model', 'is no model')
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
