export { readYamlDocument, type YamlDocument, type YamlFault } from './read-yaml-document.ts'
