import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts'],
  format: ['esm'],
  // Without this line, TypeScript reports missing modules of Node.js instead of the missing package `@types/node`.
  dts: { banner: '/// <reference types="node" />' },
  clean: true,
  target: 'node22.18',
})
