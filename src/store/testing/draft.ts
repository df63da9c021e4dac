import type { Draft } from '../store.ts'

export function draft(name: string, memo?: unknown): Draft {
  return { head: `{"name":"${name}","revision":"`, tail: '"}', memo }
}
