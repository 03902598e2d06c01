/** Shell commands of the scope job. */
package io.isle.faces.shell.job;
