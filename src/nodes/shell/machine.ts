import type { Files, Mount } from './files.ts'
import type { Output } from './process.ts'

export interface Machine {
  readonly exit?: { readonly code: number; readonly atMs: number }
  readonly nextMs?: number
}
export interface World {
  readonly nowMs: number
  readonly environment: ReadonlyMap<string, string>
  readonly mounts: readonly Mount[]
  readonly own: string
  readonly directory: string
  readonly hostname: string
  readonly seed: number
  readonly onUnknown: 'fail' | 'serve' | number
}
export function startMachine(_words: readonly string[], _world: World): Machine | undefined {
  return undefined
}
export function runMachine(machine: Machine, files: Files, _nowMs: number): { machine: Machine; files: Files; output: readonly Output[] } {
  return { machine, files, output: [] }
}
export function signalMachine(_machine: Machine, _signal: string, _nowMs: number): Machine | undefined {
  return undefined
}
