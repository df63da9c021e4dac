// Files that a command is asked to write: whether it may, before it spends a minute on what goes there.
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InputError } from '../simulate/rollout/input-error.ts'

const headBytes = 2048
/** How everything begins that Rollcall writes: results and traces, reports, JUnit. */
const ownHead = /^\{"format":"rollcall\.|<meta name="generator" content="Rollcall|<!-- rollcall\.junit\/1 -->/

/** `-` is the standard output. What is there already is replaced only where Rollcall wrote it: `--json web.yaml` is easily typed. */
export function checkOutputFile(file: string): void {
  if (file === '-') return
  try {
    accessSync(dirname(resolve(file)), constants.W_OK)
  } catch {
    throw new InputError(`cannot write ${file}: its folder does not exist, or is not yours to write to`)
  }
  const status = statSync(file, { throwIfNoEntry: false })
  if (status?.isDirectory()) throw new InputError(`cannot write ${file}: it is a folder`)
  if (!status?.isFile() || status.size === 0) return
  if (!ownHead.test(readHead(file)))
    throw new InputError(`cannot write ${file}: there is a file that Rollcall did not write. Choose another name, or remove it first`)
}

function readHead(file: string): string {
  const head = Buffer.alloc(headBytes)
  try {
    const descriptor = openSync(file, 'r')
    try {
      return head.toString('utf8', 0, readSync(descriptor, head, 0, headBytes, 0))
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw new InputError(`cannot write ${file}: what is there cannot be read (${(error as Error).message})`)
  }
}
