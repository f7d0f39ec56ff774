import type { ToolSet, Toolbox } from './tool-set.ts'

/** Makes a toolbox whose tools `change` derives from those of another. */
export function mapToolbox(toolbox: Toolbox, change: (tools: ToolSet) => ToolSet): Toolbox {
  // The same set for the same tools, so that its tokens are counted once.
  const known = new WeakMap<ToolSet, ToolSet>()
  const changed = (tools: ToolSet): ToolSet => {
    const result = known.get(tools) ?? change(tools)
    known.set(tools, result)
    return result
  }
  return {
    fixed: toolbox.fixed,
    current(signal) {
      const tools = toolbox.current(signal)
      return tools instanceof Promise ? tools.then(changed) : changed(tools)
    },
    close: () => toolbox.close(),
  }
}
