import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    'arguments/index': 'src/arguments/index.ts',
    'audit-log/index': 'src/audit-log/index.ts',
    'circuit-breaker/index': 'src/circuit-breaker/index.ts',
    'guardrails/index': 'src/guardrails/index.ts',
    'hooks/index': 'src/hooks/index.ts',
    'logging/index': 'src/logging/index.ts',
    'loop-guard/index': 'src/loop-guard/index.ts',
    'node/index': 'src/node/index.ts',
    'offload/index': 'src/offload/index.ts',
    'output-validation/index': 'src/output-validation/index.ts',
    'pii/index': 'src/pii/index.ts',
    'rate-limit/index': 'src/rate-limit/index.ts',
    'response-cache/index': 'src/response-cache/index.ts',
    'tool-retry/index': 'src/tool-retry/index.ts',
    'think-tags/index': 'src/think-tags/index.ts',
    'timeout/index': 'src/timeout/index.ts',
    'tool-output/index': 'src/tool-output/index.ts',
    'webhook-approval/index': 'src/webhook-approval/index.ts',
  },
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node22.18',
})
