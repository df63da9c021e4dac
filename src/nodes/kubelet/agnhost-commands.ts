// Commands of agnhost, the test image of Kubernetes, that are not servers, as shell scripts.
import type { Container } from '../../api/types.ts'
import { parseDuration } from './duration.ts'
import { isAgnhost } from './image-behavior.ts'

/** An equivalent command. Undefined: the container does not run such a command of agnhost. */
export function agnhostCommand({ image = '', command = [] }: Container, words: readonly string[]): readonly string[] | undefined {
  if (!isAgnhost(image)) return undefined
  const all = command.length > 0 ? words : ['/agnhost', ...words]
  switch (all[1]) {
    case 'entrypoint-tester':
      return ['echo', `[${all.join(' ')}]`]
    case 'logs-generator':
      return generateLogs(all.slice(2))
    default:
      return undefined
  }
}

function generateLogs(words: readonly string[]): readonly string[] {
  const option = (name: string, short: string) => {
    const at = words.findIndex((word) => word === name || word === short || word.startsWith(`${name}=`))
    return words[at]?.includes('=') ? words[at]!.slice(name.length + 1) : words[at + 1]
  }
  const lines = Number(option('--log-lines-total', '-t') ?? 0)
  const durationMs = parseDuration(option('--run-duration', '-d') ?? '') ?? 0
  if (!(lines > 0) || durationMs <= 0) return ['sh', '-c', 'exit 255']
  const line = 'I$(date +%m%d) $(date +%H:%M:%S).000000       1 logs_generator.go:76] $i GET /api/v1/namespaces/$n/pods/p$i 200'
  const steps = [
    'n=default',
    '[ $((i % 2)) -eq 0 ] && n=kube-system',
    `echo "${line}"`,
    `sleep ${durationMs / lines / 1000}`,
    'i=$((i + 1))',
  ]
  return ['sh', '-c', `i=0; while [ $i -lt ${lines} ]; do ${steps.join('; ')}; done`]
}
