// The programs that a container has besides its shell.
import { parseDuration } from '../kubelet/duration.ts'
import { copy, dd, find, forEachPath, ls } from './file-programs.ts'
import { done, failed, type Outcome, type Program, type Surface } from './program-surface.ts'
import { evaluateTest } from './test-expression.ts'
import { awk, cat, countOption, date, echo, expr, filter, grep, printf, seq, wc } from './text-programs.ts'

function sleep(words: readonly string[], { complain }: Surface): Outcome {
  let tookMs = 0
  for (const word of words) {
    const ms = word === 'infinity' || word === 'inf' ? Number.POSITIVE_INFINITY : parseDuration(word)
    if (ms === undefined) {
      complain(`sleep: invalid number '${word}'\n`)
      return failed
    }
    tookMs += ms
  }
  return { code: 0, tookMs }
}

const yes: Program = () => done

/** There is no network: whoever asks for something there is told that it is well. */
const networkPrograms = ['nslookup', 'wget', 'curl', 'ping', 'nc', 'getent', 'dig', 'host', 'traceroute']

export const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['true', yes],
  [':', yes],
  ['false', () => failed],
  ['sleep', sleep],
  ['echo', echo],
  ['printf', printf],
  ['date', date],
  ['expr', expr],
  ['cat', cat],
  ['grep', grep],
  ['wc', wc],
  ['awk', awk],
  ['dd', dd],
  ['find', find],
  ['ls', ls],
  ['seq', seq],
  [
    'tail',
    (words, surface) =>
      words.includes('-f') || words.includes('-F')
        ? { code: 0, tookMs: Number.POSITIVE_INFINITY }
        : filter('tail', (lines, options) => lines.slice(-countOption(options, 10)))(words, surface),
  ],
  ['head', filter('head', (lines, options) => lines.slice(0, countOption(options, 10)))],
  [
    'sort',
    filter('sort', (lines, options) =>
      lines.sort((a, b) => (options.some((o) => o.includes('n')) ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0)),
    ),
  ],
  ['uniq', filter('uniq', (lines) => lines.filter((line, index) => index === 0 || line !== lines[index - 1]))],
  ['touch', forEachPath((path, surface) => surface.isFile(path) || surface.write(path, ''))],
  ['mkdir', forEachPath((path, surface) => surface.isDirectory(path) || surface.write(`${path}/.keep`, ''))],
  [
    'rm',
    (words, surface) => {
      const isForced = words.some((word) => /^-\w*f/.test(word))
      let code = 0
      for (const path of words.filter((word) => !word.startsWith('-')))
        if (!surface.remove(path) && !isForced) {
          surface.complain(`rm: can't remove '${path}': No such file or directory\n`)
          code = 1
        }
      return { code }
    },
  ],
  ['cp', (words, surface) => copy('cp', words, surface)],
  ['mv', (words, surface) => copy('mv', words, surface)],
  [
    'tee',
    (words, surface) => {
      surface.print(surface.stdin)
      for (const path of words.filter((word) => !word.startsWith('-')))
        surface.write(path, (words.includes('-a') ? (surface.read(path) ?? '') : '') + surface.stdin)
      return done
    },
  ],
  [
    'hostname',
    (_, { hostname, print }) => {
      print(`${hostname}\n`)
      return done
    },
  ],
  [
    'pwd',
    (_, { directory, print }) => {
      print(`${directory}\n`)
      return done
    },
  ],
  [
    'env',
    (_, { environment, print }) => {
      print([...environment].map(([name, value]) => `${name}=${value}\n`).join(''))
      return done
    },
  ],
  [
    'printenv',
    ([name], { environment, print }) => {
      if (name === undefined) print([...environment].map(([one, value]) => `${one}=${value}\n`).join(''))
      else if (environment.has(name)) print(`${environment.get(name)}\n`)
      else return failed
      return done
    },
  ],
  [
    'whoami',
    (_, { user, print }) => {
      print(user.id === 0 ? 'root\n' : `whoami: unknown uid ${user.id}\n`)
      return user.id === 0 ? done : failed
    },
  ],
  [
    'id',
    ([option], { user, print }) => {
      const named = (id: number) => (id === 0 ? '0(root)' : String(id))
      const all = `uid=${named(user.id)} gid=${named(user.group)} groups=${named(user.group)}`
      print(`${option === '-u' ? user.id : option === '-g' ? user.group : all}\n`)
      return done
    },
  ],
  [
    'uname',
    (_, { print }) => {
      print('Linux\n')
      return done
    },
  ],
  [
    'basename',
    ([path = ''], { print }) => {
      print(`${path.split('/').findLast((part) => part !== '') ?? '/'}\n`)
      return done
    },
  ],
  [
    'dirname',
    ([path = ''], { print }) => {
      print(`${path.includes('/') ? path.replace(/\/[^/]*$/, '') || '/' : '.'}\n`)
      return done
    },
  ],
  ['test', (words, surface) => ({ code: evaluateTest(words, surface, false, surface.work) })],
  [
    '[',
    (words, surface) => {
      if (words.at(-1) !== ']') {
        surface.complain('sh: missing ]\n')
        return { code: 2 }
      }
      return { code: evaluateTest(words.slice(0, -1), surface, false, surface.work) }
    },
  ],
  ['[[', (words, surface) => ({ code: evaluateTest(words.at(-1) === ']]' ? words.slice(0, -1) : words, surface, true, surface.work) })],
  ['chmod', yes],
  ['chown', yes],
  ['sync', yes],
  ['umask', yes],
  ['ulimit', yes],
  ['pause', () => ({ code: 0, tookMs: Number.POSITIVE_INFINITY })],
  ...networkPrograms.map((name) => [name, yes] as const),
])
