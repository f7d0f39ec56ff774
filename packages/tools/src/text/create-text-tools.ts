import { checkOptions, type OptionKinds, type Tool } from '@parley/core'
import { echoTool } from './echo-tool.ts'
import { hashTool } from './hash-tool.ts'
import { jsonFormatTool } from './json-format-tool.ts'
import { passwordTool, type RandomInt } from './password-tool.ts'
import { temperatureTool } from './temperature-tool.ts'
import { textStatsTool } from './text-stats-tool.ts'
import { urlEncodeTool } from './url-encode-tool.ts'
import { uuidTool } from './uuid-tool.ts'

export interface TextToolsOptions {
  /** Source of randomness for passwords. @default `randomInt` of node:crypto */
  readonly randomInt?: RandomInt | undefined
}

const OPTIONS: OptionKinds<TextToolsOptions> = {
  randomInt: 'function',
}

/**
 * Creates the tools `echo`, `text_stats`, `json_format`, `url_encode`, `hash_text`, `generate_uuid`, `generate_password` and
 * `convert_temperature`, all of effect `read`.
 */
export function createTextTools(options: TextToolsOptions = {}): readonly Tool[] {
  checkOptions('createTextTools', options, OPTIONS)
  const { randomInt } = options
  return [
    echoTool,
    textStatsTool,
    jsonFormatTool,
    urlEncodeTool,
    hashTool,
    uuidTool,
    passwordTool(randomInt),
    temperatureTool,
  ]
}
