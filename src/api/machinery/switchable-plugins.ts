// The admission plugins that a cluster can have or not have, by their names in Kubernetes. They are off by default; all other plugins are always on.
// Kubernetes: pkg/kubeapiserver/options.AllOrderedPlugins
export const switchablePlugins = ['ServiceAccount'] as const

export type SwitchablePlugin = (typeof switchablePlugins)[number]

export const isSwitchable = (name: string): name is SwitchablePlugin => (switchablePlugins as readonly string[]).includes(name)
