import type { JsonObject } from './schema/json-schema.ts'
import type { ToolCall } from './tool-api.ts'

/** What a tool can do while it runs. */
export type AgentToolContext = {
  /** Sends a request to the API in the name of the key. */
  ask: (call: ToolCall) => Promise<Response>
  /** Reports progress to the agent's client, if it has asked for that. */
  report: (percent: number, message: string) => Promise<void>
  /** Aborted when the client cancels the call or goes away. */
  signal: AbortSignal
}

/** The answer to an agent: text for the model, and the same as data for programs. */
export type ToolAnswer = { text: string; data?: JsonObject; isError?: true }

export type Tool = {
  name: string
  title: string
  /** What the tool does, when to use it, and what comes next; every client puts this before its model. */
  description: string
  inputSchema: () => JsonObject
  outputSchema?: JsonObject
  hints: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean }
  run: (args: JsonObject, context: AgentToolContext) => Promise<ToolAnswer>
}
