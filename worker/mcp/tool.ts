import type { JsonObject } from './schema/json-schema.ts'
import type { ToolCall } from './tool-api.ts'

/** What a tool can do while it runs. */
export type ToolContext = {
  /** Sends a request to the API in the name of the key. */
  ask: (call: ToolCall) => Promise<Response>
  /** Tells the agent's client how far it is, if the client wants to know. */
  report: (percent: number, message: string) => Promise<void>
  /** Aborted when the client cancels the call or goes away. */
  signal: AbortSignal
}

/** What an agent is told: text for the model, and the same as data for programs. */
export type ToolAnswer = { text: string; data?: JsonObject; isError?: true }

export type Tool = {
  name: string
  title: string
  /** What it does, when to use it, and what comes next; every client puts it before its model. */
  description: string
  inputSchema: () => JsonObject
  outputSchema?: JsonObject
  hints: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean }
  run: (args: JsonObject, context: ToolContext) => Promise<ToolAnswer>
}
