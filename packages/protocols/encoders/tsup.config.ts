import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'ag-ui/index': 'src/ag-ui/index.ts',
    'ai-sdk-ui/index': 'src/ai-sdk-ui/index.ts',
    'kit/index': 'src/kit/index.ts',
    'openai-chat/index': 'src/openai-chat/index.ts',
    'openai-responses/index': 'src/openai-responses/index.ts',
  },
  format: ['esm'],
  dts: true,
  clean: true,
  target: 'node22.18',
})
