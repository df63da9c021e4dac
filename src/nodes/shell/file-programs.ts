// Programs that deal with files.
import { done, failed, type Outcome, type Program, type Surface } from './program-surface.ts'

/** Copies `bs` times `count` bytes, or all, from `if=` to `of=`. */
export function dd(words: readonly string[], surface: Surface): Outcome {
  const option = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  const [from, to, count] = [option('if'), option('of'), option('count')]
  const limit = count === undefined ? maxCopiedBytes : Math.min(Number(option('bs') ?? 512) * Number(count) || 0, maxCopiedBytes)
  const text = from === undefined ? surface.stdin : from === '/dev/zero' ? '\0'.repeat(limit) : surface.read(from)
  if (text === undefined) {
    surface.complain(`dd: can't open '${from}': No such file or directory\n`)
    return failed
  }
  if (to === undefined) surface.print(text.slice(0, limit))
  else surface.write(to, text.slice(0, limit))
  return done
}

const maxCopiedBytes = 64 * 1024

/** Every file and directory below the paths; no conditions. */
export function find(words: readonly string[], surface: Surface): Outcome {
  const end = words.findIndex((word) => word.startsWith('-'))
  const paths = end < 0 ? words : words.slice(0, end)
  let code = 0
  const walk = (path: string, depth: number): void => {
    surface.print(`${path}\n`)
    if (surface.isDirectory(path) && depth < 32)
      for (const name of surface.names(path)) if (name !== '.keep') walk(`${path === '/' ? '' : path}/${name}`, depth + 1)
  }
  for (const path of paths.length === 0 ? ['.'] : paths) {
    if (surface.isFile(path) || surface.isDirectory(path)) walk(path, 0)
    else {
      surface.complain(`find: ${path}: No such file or directory\n`)
      code = 1
    }
  }
  return { code }
}

export function ls(words: readonly string[], surface: Surface): Outcome {
  const paths = words.filter((word) => !word.startsWith('-'))
  let code = 0
  for (const path of paths.length === 0 ? [surface.directory] : paths) {
    if (surface.isFile(path)) surface.print(`${path}\n`)
    else if (surface.isDirectory(path)) for (const name of surface.names(path)) surface.print(`${name}\n`)
    else {
      surface.complain(`ls: ${path}: No such file or directory\n`)
      code = 1
    }
  }
  return { code }
}

export const forEachPath =
  (change: (path: string, surface: Surface) => void): Program =>
  (words, surface) => {
    for (const path of words) if (!path.startsWith('-')) change(path, surface)
    return done
  }

export function copy(name: 'cp' | 'mv', words: readonly string[], surface: Surface): Outcome {
  const [from = '', to = ''] = words.filter((word) => !word.startsWith('-'))
  const text = surface.read(from)
  if (text === undefined) {
    surface.complain(`${name}: can't ${name === 'cp' ? 'stat' : 'rename'} '${from}': No such file or directory\n`)
    return failed
  }
  const target = surface.isDirectory(to) ? `${to.replace(/\/+$/, '')}/${from.split('/').at(-1)}` : to
  surface.write(target, text)
  if (name === 'mv') surface.remove(from)
  if (words.some((word) => /^-\w*v/.test(word))) surface.print(`'${from}' -> '${target}'\n`)
  return done
}
