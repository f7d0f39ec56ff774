import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as argumentChecks from './arguments/index.ts'
import * as auditLog from './audit-log/index.ts'
import * as circuitBreaker from './circuit-breaker/index.ts'
import * as guardrails from './guardrails/index.ts'
import * as hooks from './hooks/index.ts'
import * as logging from './logging/index.ts'
import * as loopGuard from './loop-guard/index.ts'
import * as node from './node/index.ts'
import * as offload from './offload/index.ts'
import * as outputValidation from './output-validation/index.ts'
import * as pii from './pii/index.ts'
import * as rateLimit from './rate-limit/index.ts'
import * as responseCache from './response-cache/index.ts'
import * as thinkTags from './think-tags/index.ts'
import * as timeout from './timeout/index.ts'
import * as toolOutput from './tool-output/index.ts'
import * as toolRetry from './tool-retry/index.ts'
import * as webhookApproval from './webhook-approval/index.ts'

it('each entry of the middleware package exports exactly the listed names', () => {
  expect(Object.keys(argumentChecks).sort()).toEqual(['checkArguments'])
  expect(Object.keys(auditLog).sort()).toEqual(['createAuditLog', 'verifyAuditLog'])
  expect(Object.keys(circuitBreaker).sort()).toEqual(['createCircuitBreaker'])
  expect(Object.keys(guardrails).sort()).toEqual(['createModelGuard', 'guardInput', 'guardOutput', 'guardTools'])
  expect(Object.keys(hooks).sort()).toEqual(['gateCompaction', 'gateProgress', 'hooks'])
  expect(Object.keys(logging).sort()).toEqual(['logging'])
  expect(Object.keys(loopGuard).sort()).toEqual(['loopGuard'])
  expect(Object.keys(node).sort()).toEqual(['createFileArtifacts', 'createFileVault'])
  expect(Object.keys(offload).sort()).toEqual(['createOffload'])
  expect(Object.keys(outputValidation).sort()).toEqual(['validateToolOutput'])
  expect(Object.keys(pii).sort()).toEqual(['PII_KINDS', 'createMemoryVault', 'createPiiMask', 'findPii'])
  expect(Object.keys(rateLimit).sort()).toEqual(['createRateLimit'])
  expect(Object.keys(responseCache).sort()).toEqual(['createResponseCache'])
  expect(Object.keys(thinkTags).sort()).toEqual(['stripThinkTags'])
  expect(Object.keys(timeout).sort()).toEqual(['timeout'])
  expect(Object.keys(toolOutput).sort()).toEqual(['INJECTION_PATTERNS', 'markUntrusted', 'sanitizeToolOutput'])
  expect(Object.keys(toolRetry).sort()).toEqual(['toolRetry'])
  expect(Object.keys(webhookApproval).sort()).toEqual(['webhookApproval'])
})

/** Matches imports and re-exports at the beginning of a line, and dynamic imports. */
const IMPORTS = /(?:^import\b[^']*|^export\b[^'=(]* from |\bimport\()'([^']+)'/gm

/** Returns the packages that a file loads, directly and through its relative imports. */
function packagesOf(file: URL, seen = new Set<string>()): readonly string[] {
  if (seen.has(file.href)) return []
  seen.add(file.href)
  const specifiers = readFileSync(file, 'utf8').matchAll(IMPORTS)
  return [...specifiers].flatMap(([, specifier = '']) =>
    specifier.startsWith('.') ? packagesOf(new URL(specifier, file), seen) : [specifier],
  )
}

it('only the entry ./node imports modules of Node.js', () => {
  const entries = readdirSync(new URL('.', import.meta.url), { withFileTypes: true })
    .filter(entry => entry.isDirectory() && existsSync(new URL(`./${entry.name}/index.ts`, import.meta.url)))
    .map(({ name }) => name)
  const needing = entries.filter(name =>
    packagesOf(new URL(`./${name}/index.ts`, import.meta.url)).some(each => each.startsWith('node:')),
  )
  expect(entries.length).toBeGreaterThan(15)
  expect(needing).toEqual(['node'])
})
