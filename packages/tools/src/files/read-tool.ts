import { toolError, toolOk, type Tool, type ToolOutcome } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'
import type { InferInput } from '../infer-input.ts'
import { readBytes } from '../workspace/read-bytes.ts'
import type { Workspace, WorkspaceFile } from '../workspace/workspace.ts'
import { readWindow, type FileWindow } from './read-window.ts'
import { sniffContent, SNIFF_BYTES } from './sniff-content.ts'

const OUTPUT_BYTES = 51_200
const LINE_BYTES = 2_000
const IMAGE_BYTES = 10_000_000
const DEFAULT_LIMIT = 2_000

const input = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path of the file, relative to the workspace root.' },
    offset: { type: 'integer', minimum: 1, description: 'First line to read, counted from 1. Default: 1.' },
    limit: { type: 'integer', minimum: 1, maximum: 10_000, description: 'Maximum number of lines. Default: 2000.' },
  },
  required: ['path'],
  additionalProperties: false,
} as const

/** The tool `read`, which shows the numbered lines of a text file, or an image. */
export function readTool(workspace: Workspace): Tool<InferInput<typeof input>, ToolOutcome> {
  return defineReadTool({
    name: 'read',
    description:
      'Reads a text file as numbered lines (number, tab, text), or shows an image (PNG, JPEG, GIF, WebP up to 10 MB). ' +
      'Shows at most 50 KB at a time and says how to continue.',
    input,
    timeoutMs: 30_000,
    execute: async ({ path, offset = 1, limit = DEFAULT_LIMIT }, { signal, run }) => {
      const here = await workspace.forRun(run)
      await using file = await here.open(path)
      const head = Buffer.alloc(SNIFF_BYTES)
      const { bytesRead } = await file.handle.read(head, 0, head.length, 0)
      const content = sniffContent(head.subarray(0, bytesRead))
      switch (content.type) {
        case 'image':
          return readImage(file, content.mediaType, signal)
        case 'binary':
          return toolError(`${file.shown} is ${content.name} (${file.size} bytes). Only text and images can be read.`)
        case 'text': {
          const maxLineBytes = Math.max(LINE_BYTES, Math.floor(OUTPUT_BYTES / limit))
          const window = await readWindow(file.handle, { offset, limit, maxBytes: OUTPUT_BYTES, maxLineBytes, signal })
          return toOutcome(file.shown, offset, window)
        }
      }
    },
  })
}

async function readImage(file: WorkspaceFile, mediaType: string, signal: AbortSignal): Promise<ToolOutcome> {
  const { shown, size, handle } = file
  const facts = `${shown} is an image (${mediaType}, ${size} bytes)`
  if (size > IMAGE_BYTES)
    return toolError(`${facts}. Images above ${IMAGE_BYTES} bytes cannot be shown; scale it down.`)
  const bytes = await readBytes(handle, size, signal)
  const data = bytes.toString('base64')
  return toolOk([
    { type: 'text', text: `${facts}.` },
    { type: 'file', mediaType, source: { type: 'base64', data }, name: shown },
  ])
}

function toOutcome(shown: string, offset: number, { lines, linesSeen, atEnd }: FileWindow): ToolOutcome {
  if (lines.length === 0) {
    if (offset === 1) return toolOk(`[${shown} is empty.]`, { path: shown, lines: 0, atEnd })
    return toolError(`${shown} has only ${linesSeen} lines; offset ${offset} is beyond its end.`)
  }
  const last = offset + lines.length - 1
  const body = lines.map(({ text, cutFrom }, index) => {
    const cut = cutFrom === undefined ? '' : ` …[cut; the line has ${cutFrom} bytes]`
    return `${String(offset + index).padStart(6)}\t${text}${cut}`
  })
  if (lines.some(({ cutFrom }) => cutFrom !== undefined)) {
    body.push('[A long line was cut. Read it alone with limit 1 to see up to 50 KB of it, or search it with grep.]')
  }
  if (!atEnd) body.push(`[Lines ${offset} to ${last}; there is more. Continue with offset ${last + 1}.]`)
  return toolOk(body.join('\n'), { path: shown, firstLine: offset, lastLine: last, atEnd })
}
