import './site.css'

export { default } from 'vitepress/theme-without-fonts'
