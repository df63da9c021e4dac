import { readlinkSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const maxLinks = 40

/** The file that a path leads to through symbolic links, also where the last one leads to no file. To write it keeps the links. */
export function linkTarget(path: string): string {
  let target = resolve(path)
  for (let count = 0; count < maxLinks; count++) {
    let link: string
    try {
      link = readlinkSync(target)
    } catch {
      return target
    }
    target = resolve(dirname(target), link)
  }
  throw new Error(`Cannot write ${JSON.stringify(path)}: it is a link to itself.`)
}
