import { toolError, toolOk } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'

const UNITS = ['C', 'F', 'K'] as const
type Unit = (typeof UNITS)[number]

const ABSOLUTE_ZERO = { C: -273.15, F: -459.67, K: 0 } as const

/** The tool `convert_temperature`, which converts between Celsius, Fahrenheit and kelvin. */
export const temperatureTool = defineReadTool({
  name: 'convert_temperature',
  description: 'Converts a temperature between Celsius (C), Fahrenheit (F) and kelvin (K).',
  input: {
    type: 'object',
    properties: { value: { type: 'number' }, from: { enum: UNITS }, to: { enum: UNITS } },
    required: ['value', 'from', 'to'],
    additionalProperties: false,
  },
  execute: ({ value, from, to }) => {
    if (value < ABSOLUTE_ZERO[from]) {
      return toolError(`${value} ${from} is below absolute zero (${ABSOLUTE_ZERO[from]} ${from}).`)
    }
    const converted = from === to ? value : Number(fromKelvin(toKelvin(value, from), to).toPrecision(12))
    return toolOk(`${converted} ${to}`, { value: converted, unit: to })
  },
})

function toKelvin(value: number, unit: Unit): number {
  if (unit === 'C') return value + 273.15
  return unit === 'F' ? ((value + 459.67) * 5) / 9 : value
}

function fromKelvin(kelvin: number, unit: Unit): number {
  // Rounded, because in floating point 0.1 + 273.15 - 273.15 is not 0.1.
  if (unit === 'C') return Number((kelvin - 273.15).toFixed(9))
  return unit === 'F' ? Number(((kelvin * 9) / 5 - 459.67).toFixed(9)) : kelvin
}
