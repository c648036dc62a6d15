import type { z } from 'zod'
import { parseInput } from '../contract/input/parse-input.ts'
import { tellFaults } from './say/tell-refusal.ts'
import { toToolSchema } from './schema/json-schema.ts'
import type { Tool, ToolAnswer, AgentToolContext } from './tool.ts'

/** A tool whose arguments are checked before it runs. */
export function checkedTool<Input extends z.ZodObject>(
  input: Input,
  {
    run,
    ...about
  }: Omit<Tool, 'inputSchema' | 'run'> & {
    run: (wish: z.output<Input>, context: AgentToolContext) => Promise<ToolAnswer>
  },
): Tool {
  return {
    ...about,
    inputSchema: () => toToolSchema(input),
    async run(args, context) {
      const parsed = parseInput(input, args)
      return parsed.ok ? run(parsed.value, context) : tellFaults(parsed.faults)
    },
  }
}
