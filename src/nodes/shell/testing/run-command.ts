// Runs a command in a container that has nothing but the given files, to its end.
import { type Files, noFiles } from '../files.ts'
import { runMachine, type ScriptSetup, startMachine } from '../machine.ts'

const setup: ScriptSetup = {
  nowMs: Date.UTC(2026, 10, 1, 12),
  environment: new Map(),
  mounts: [],
  own: 'own:c:',
  directory: '/',
  hostname: 'web-0',
  seed: 5,
  onUnknown: 'fail',
}
export const empty: Files = { pod: noFiles, host: noFiles }

export function run(command: string | readonly string[], files = empty, more: Partial<ScriptSetup> = {}) {
  const machine = startMachine(typeof command === 'string' ? ['sh', '-c', command] : command, { ...setup, ...more })!
  const ran = runMachine(machine, files, setup.nowMs)
  return { code: ran.machine.exit?.code, text: ran.output.map(({ text }) => text).join(''), files: ran.files }
}
