import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export async function runCommand(program: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args)
  return stdout
}
