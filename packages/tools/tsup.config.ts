import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'math/index': 'src/math/index.ts',
    'time/index': 'src/time/index.ts',
    'workspace/index': 'src/workspace/index.ts',
    'files/index': 'src/files/index.ts',
    'openapi/index': 'src/openapi/index.ts',
    'text/index': 'src/text/index.ts',
    'network/index': 'src/network/index.ts',
    'web/index': 'src/web/index.ts',
    'shell/index': 'src/shell/index.ts',
    'skills/index': 'src/skills/index.ts',
    'context/index': 'src/context/index.ts',
    'memory/index': 'src/memory/index.ts',
    // A file of its own, because a worker thread is started from it by address.
    'files/grep-worker': 'src/files/grep-worker.ts',
  },
  format: ['esm'],
  // Without this line, TypeScript reports a missing `Buffer` instead of the missing package `@types/node`.
  dts: { banner: '/// <reference types="node" />' },
  clean: true,
  target: 'node22.18',
})
