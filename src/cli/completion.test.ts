import { Argument, Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { complete } from './completion.ts'
import { featureGateOption, ListOption } from './flag-values.ts'

const program = new Command('rollcall')
program
  .command('up')
  .summary('start')
  .option('--nodes <n>', 'how many')
  .option('--name <name>', 'which')
  .addOption(new Option('-o, --output <format>', 'format').choices(['json', 'yaml']))
  .option('--memory', 'no disk')
  .addOption(new ListOption('--colours <list>', 'which', ['red', 'green', 'grey', 'all']))
  .addOption(featureGateOption('gates', 'as usual'))
const pacer = program.command('pacer').summary('pace')
pacer.command('status').summary('who waits')
pacer.command('release').summary('let go')
program.command('completion').addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh']))
program
  .command('node')
  .argument('<name>', 'which')
  .addArgument(new Argument('<action>', 'what').choices(['down', 'up']))
program.command('__complete', { hidden: true })

describe('complete()', () => {
  it.each([
    ['commands', [''], ['up', 'pacer', 'completion', 'node']],
    ['commands that start so', ['u'], ['up']],
    ['subcommands', ['pacer', ''], ['status', 'release']],
    ['flags', ['up', '--n'], ['--nodes', '--name']],
    ['flags after a flag with a value', ['up', '--nodes', '3', '--m'], ['--memory']],
    ['the choices of a flag', ['up', '-o', ''], ['json', 'yaml']],
    ['the names of clusters', ['up', '--name', 't'], ['team-a']],
    ['the choices of an argument', ['completion', 'b'], ['bash']],
    ['an argument in its place only', ['node', ''], []],
    ['the choices of a second argument', ['node', 'node-1', ''], ['down', 'up']],
    ['the choices of a flag behind =', ['up', '--output=j'], ['--output=json']],
    ['the names of a list', ['up', '--colours', 'gr'], ['green', 'grey']],
    ['the names that a list does not have yet', ['up', '--colours', 'green,'], ['green,red', 'green,grey']],
    ['all, which stands alone, at the start of a list only', ['up', '--colours', 'a'], ['all']],
    ['the names of a list behind =', ['up', '--colours=red,gre'], ['--colours=red,green', '--colours=red,grey']],
    ['both values of a feature gate', ['up', '--feature-gates', 'AllA'], ['AllAlpha=true', 'AllAlpha=false']],
    ['no feature gate twice', ['up', '--feature-gates', 'AllAlpha=true,AllA'], []],
    ['nothing for a free value, so that the shell completes file names', ['up', '--nodes', ''], []],
    ['nothing for an unknown word', ['xyz'], []],
  ])('gives %s', (_, words, expected) => {
    expect(complete(program, words, ['team-a', 'other']).map(({ word }) => word)).toEqual(expected)
  })
})
