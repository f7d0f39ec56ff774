// Faults of the middleware.
const middleware = 'packages/middleware/src'
const auditTest = `${middleware}/audit-log/verify-audit-log.test.ts`
const breakerTest = `${middleware}/circuit-breaker/create-circuit-breaker.test.ts`
const bucketTest = `${middleware}/rate-limit/token-bucket.test.ts`
const cacheTest = `${middleware}/response-cache/create-response-cache.test.ts`
const loopTest = `${middleware}/loop-guard/loop-guard.test.ts`
const rateTest = `${middleware}/rate-limit/create-rate-limit.test.ts`

export const MIDDLEWARE = [
  {
    name: 'clock-set-back-drains-the-bucket',
    file: `${middleware}/rate-limit/token-bucket.ts`,
    from: 'Math.max(0, now - this.#at)',
    to: 'now - this.#at',
    tests: [bucketTest],
  },
  {
    name: 'bucket-overflows',
    file: `${middleware}/rate-limit/token-bucket.ts`,
    from: 'Math.min(this.#capacity, this.#level + passed * this.#perMs)',
    to: 'this.#level + passed * this.#perMs',
    tests: [bucketTest],
  },
  {
    name: 'cancelled-wait-keeps-its-place',
    file: `${middleware}/rate-limit/create-rate-limit.ts`,
    from: '    if (!waited) ticket.cancel()\n',
    to: '',
    tests: [rateTest],
  },
  {
    name: 'audit-chain-not-verified',
    file: `${middleware}/audit-log/verify-audit-log.ts`,
    from: 'if (last !== undefined && previous !== last.digest)',
    to: "if (last !== undefined && previous === '')",
    tests: [auditTest],
  },
  {
    name: 'audit-digest-not-verified',
    file: `${middleware}/audit-log/verify-audit-log.ts`,
    from: 'if (digest !== (await digestOf(record)))',
    to: "if (digest === '')",
    tests: [auditTest],
  },
  {
    name: 'audit-gap-not-noticed',
    file: `${middleware}/audit-log/verify-audit-log.ts`,
    from: 'if (last !== undefined && number !== last.number + 1)',
    to: 'if (last !== undefined && number < last.number)',
    tests: [auditTest],
  },
  {
    name: 'circuit-opens-one-failure-late',
    file: `${middleware}/circuit-breaker/circuit.ts`,
    from: 'this.#failures < this.#options.failures',
    to: 'this.#failures <= this.#options.failures',
    tests: [breakerTest],
  },
  {
    name: 'several-trial-calls',
    file: `${middleware}/circuit-breaker/circuit.ts`,
    from: '      if (this.#probing) return openMs\n',
    to: '',
    tests: [breakerTest],
  },
  {
    name: 'success-does-not-reset-failures',
    file: `${middleware}/circuit-breaker/circuit.ts`,
    from: '    this.#failures = 0\n    this.#become',
    to: '    this.#become',
    tests: [breakerTest],
  },
  {
    name: 'cached-answer-of-another-principal',
    file: `${middleware}/response-cache/create-response-cache.ts`,
    from: 'canonicalJson([scope, principal?.id ?? null])',
    to: 'canonicalJson([scope])',
    tests: [cacheTest],
  },
  {
    name: 'truncated-answer-cached',
    file: `${middleware}/response-cache/create-response-cache.ts`,
    from: "event.type === 'finish' && WHOLE.includes(event.reason)",
    to: "event.type === 'finish'",
    tests: [cacheTest],
  },
  {
    name: 'cached-answer-outlives-its-time',
    file: `${middleware}/response-cache/cache-entries.ts`,
    from: 'found.until <= monotonicNow',
    to: 'found.until < monotonicNow',
    tests: [cacheTest],
  },
  {
    name: 'changing-result-counts-as-a-loop',
    file: `${middleware}/loop-guard/past-calls.ts`,
    from: '      if (result !== last) break\n',
    to: '',
    tests: [loopTest],
  },
  {
    name: 'loop-guard-one-call-late',
    file: `${middleware}/loop-guard/loop-guard.ts`,
    from: 'if (repeats >= maxRepeats)',
    to: 'if (repeats > maxRepeats)',
    tests: [loopTest],
  },
  {
    name: 'once-tool-retried-after-a-timeout',
    file: `${middleware}/tool-retry/tool-retry.ts`,
    from: "const mayRepeat = tool.effect === 'read' || tool.effect === 'idempotent'",
    to: 'const mayRepeat = tool.name !== undefined',
    tests: [`${middleware}/tool-retry/tool-retry.test.ts`],
  },
  {
    name: 'late-failure-hides-the-tool-timeout',
    file: `${middleware}/timeout/tool-deadline.ts`,
    from: '      if (controller.signal.aborted) return expired\n',
    to: '',
    tests: [`${middleware}/timeout/tool-deadline.test.ts`],
  },
  {
    name: 'one-retry-too-many',
    file: `${middleware}/tool-retry/tool-retry.ts`,
    from: 'attempt > maxRetries',
    to: 'attempt > maxRetries + 1',
    tests: [`${middleware}/tool-retry/tool-retry.test.ts`],
  },
  {
    name: 'stopped-call-retried',
    file: `${middleware}/tool-retry/tool-retry.ts`,
    from: 'call.signal.aborted || !when(outcome, call)',
    to: '!when(outcome, call)',
    tests: [`${middleware}/tool-retry/tool-retry.test.ts`],
  },
  {
    name: 'tool-runs-without-an-audit-record',
    file: `${middleware}/audit-log/create-audit-log.ts`,
    from: 'if (required && failure !== undefined)',
    to: 'if (required && failure === null)',
    tests: [`${middleware}/audit-log/create-audit-log.test.ts`],
  },
  {
    name: 'late-failure-prolongs-the-open-circuit',
    file: `${middleware}/circuit-breaker/circuit.ts`,
    from: "    if (this.#state === 'open') return\n",
    to: '',
    tests: [`${middleware}/circuit-breaker/circuit.test.ts`],
  },
  {
    name: 'estimate-not-replaced-by-the-usage',
    file: `${middleware}/rate-limit/quotas.ts`,
    from: 'tokens?.give(estimate - used)',
    to: 'tokens?.give(0)',
    tests: [rateTest],
  },
  {
    name: 'bucket-of-a-key-forgotten',
    file: `${middleware}/rate-limit/quotas.ts`,
    from: '      this.#byKey.set(key, buckets)\n',
    to: "      this.#byKey.set('', buckets)\n",
    tests: [`${middleware}/rate-limit/quotas.test.ts`],
  },
]
