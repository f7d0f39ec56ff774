export { default } from 'vitepress/theme-without-fonts'
import './site.css'
