// Reads the files that describe a cluster: its nodes, and KWOK's Stages.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FileError } from '../nodes/located-yaml.ts'
import { type NodeFile, readNodeFile } from '../nodes/node-file.ts'
import type { Stage } from '../nodes/stages/stage.ts'
import { readStageFile } from '../nodes/stages/stage-file.ts'

/** Throws a FileError. */
export const readNodes = (path: string): NodeFile => readNodeFile(readText(path), path)

/** `paths` are files, or folders whose `.yaml`, `.yml` and `.json` files are read recursively. Throws a FileError. */
export function readStages(paths: readonly string[]): Stage[] {
  return paths.flatMap((path) => {
    const stages = filesOf(path).flatMap((file) => readStageFile(readText(file), file))
    if (stages.length === 0) throw new FileError(path, 'it has no Stage')
    return stages
  })
}

function filesOf(path: string): string[] {
  if (!isFolder(path)) return [path]
  const names = readdirSync(path).sort()
  return names.flatMap((name) => {
    const inner = join(path, name)
    if (isFolder(inner)) return name === 'testdata' ? [] : filesOf(inner)
    return /\.(ya?ml|json)$/.test(name) ? [inner] : []
  })
}

const orExplain = <T>(path: string, run: () => T): T => {
  try {
    return run()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new FileError(path, code === 'ENOENT' ? 'there is no such file' : message)
  }
}

const isFolder = (path: string) => orExplain(path, () => statSync(path).isDirectory())
const readText = (path: string) => orExplain(path, () => readFileSync(path, 'utf8'))
